package release

import (
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"omniscope/internal/outfile"
)

// object is a node of JSON-LD. Keys are written in their alphabetical order.
type object = map[string]any

// croissantContext is the context of Croissant 1.0, appendix 1, with the prefixes that its text uses.
var croissantContext = object{
	"@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
	"rai": "http://mlcommons.org/croissant/RAI/", "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
	"citeAs": "cr:citeAs", "column": "cr:column", "data": object{"@id": "cr:data", "@type": "@json"},
	"dataType": object{"@id": "cr:dataType", "@type": "@vocab"}, "examples": object{"@id": "cr:examples", "@type": "@json"},
	"extract": "cr:extract", "field": "cr:field", "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty",
	"fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset",
	"jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path",
	"recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
	"replace": "cr:replace", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
	"transform": "cr:transform",
}

// writeCroissant describes the release for programs, by Croissant 1.0 and its RAI vocabulary 1.0 (mlcommons.org/croissant).
// RAI 1.0 asks for a second conformsTo, which is left out: the reference reader, mlcroissant, refuses a list of them.
func (s *set) writeCroissant(w io.Writer, files []file) error {
	o := s.o.Settings
	d := object{
		"@context": croissantContext, "@type": "sc:Dataset",
		"conformsTo": "http://mlcommons.org/croissant/1.0",
		"name":       o.Name, "description": strings.TrimSpace(o.Description), "version": o.Version, "inLanguage": o.Languages,
		"isLiveDataset": false, "license": croissantLicence(o), "keywords": o.TaskCategories,
	}
	for key, text := range map[string]string{
		"alternateName": o.PrettyName, "url": o.Homepage, "datePublished": o.Date, "citeAs": strings.TrimSpace(o.Citation),
		"rai:dataCollection": s.collectionText(), "rai:dataAnnotationProtocol": strings.TrimSpace(o.HowBuilt),
		"rai:dataUseCases": strings.TrimSpace(o.Uses), "rai:dataLimitations": strings.TrimSpace(o.Limitations), "rai:dataBiases": strings.TrimSpace(o.Biases),
		"rai:personalSensitiveInformation": strings.TrimSpace(o.Personal),
	} {
		if text != "" {
			d[key] = text
		}
	}
	if creators := slices.Concat(named("sc:Person", o.Creators), named("sc:Organization", o.Organizations)); len(creators) > 0 {
		d["creator"] = creators
	}
	var distribution []object
	for _, f := range files {
		distribution = append(distribution, object{"@type": "cr:FileObject", "@id": f.name, "name": path.Base(f.name), "contentUrl": f.name,
			"contentSize": strconv.FormatInt(f.size, 10) + " B", "encodingFormat": mimeType(f.name), "sha256": f.sha256})
	}
	d["distribution"], d["recordSet"] = distribution, s.recordSets()
	return outfile.JSON(w, d)
}

func named(kind string, names []string) (nodes []object) {
	for _, name := range names {
		nodes = append(nodes, object{"@type": kind, "name": name})
	}
	return nodes
}

func croissantLicence(o *Settings) any {
	if l := licenceOf(o.License); l.link != "" {
		return l.link
	}
	if o.LicenseLink != "" {
		return o.LicenseLink
	}
	return object{"@type": "sc:CreativeWork", "name": o.License}
}

// collectionText says what licences the media came with: the license of a Croissant file is that of the annotations.
func (s *set) collectionText() string {
	words, items := s.byLicence()
	var parts []string
	for _, word := range words {
		parts = append(parts, word+" ("+strconv.Itoa(len(items[word]))+" items)")
	}
	return "Media from sources under these licences, listed by source in licences.csv: " + strings.Join(parts, ", ") + "."
}

// mimeTypes are those that readers of Croissant know.
var mimeTypes = map[string]string{
	".jsonl": "application/jsonlines", ".parquet": "application/x-parquet", ".csv": "text/csv", ".json": "application/json", ".md": "text/markdown",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".mkv": "video/x-matroska", ".mov": "video/quicktime", ".avi": "video/x-msvideo",
	".wav": "audio/wav", ".mp3": "audio/mpeg", ".flac": "audio/flac", ".ogg": "audio/ogg", ".opus": "audio/ogg", ".m4a": "audio/mp4",
}

func mimeType(name string) string {
	if known, ok := mimeTypes[strings.ToLower(path.Ext(name))]; ok {
		return known
	}
	return "application/octet-stream"
}

// recordSets are the splits, and the rows of each.
func (s *set) recordSets() []object {
	types := map[string]string{"train": "cr:TrainingSplit", "validation": "cr:ValidationSplit", "test": "cr:TestSplit"}
	var data []object
	var sets []object
	for _, name := range s.usedSplits() {
		data = append(data, object{"splits/name": name, "splits/url": types[name]})
		rows := object{"@type": "cr:RecordSet", "@id": name, "name": name, "description": "The rows of the split " + name + ".",
			"field": s.croissantFields(name)}
		if f := s.shape.fields[s.form.id]; f != nil && f.kind != mixed {
			rows["key"] = object{"@id": name + "/" + s.form.id}
		}
		sets = append(sets, rows)
	}
	return append([]object{{
		"@type": "cr:RecordSet", "@id": "splits", "name": "splits", "dataType": "cr:Split", "key": object{"@id": "splits/name"}, "data": data,
		"field": []object{
			{"@type": "cr:Field", "@id": "splits/name", "name": "splits/name", "dataType": "sc:Text"},
			{"@type": "cr:Field", "@id": "splits/url", "name": "splits/url", "dataType": "cr:Split"},
		},
	}}, sets...)
}

// croissantFields are the columns of a split's table.
func (s *set) croissantFields(split string) (fields []object) {
	for _, name := range s.shape.names {
		c := croissantColumn{file: "data/" + split + ".parquet", column: name}
		fields = append(fields, c.field(split+"/"+name, s.shape.fields[name], ""))
	}
	if s.shape.fields["split"] == nil {
		fields = append(fields, object{"@type": "cr:Field", "@id": split + "/split", "name": split + "/split", "dataType": "sc:Text",
			"references": object{"@id": "splits/name"}, "source": object{"fileObject": object{"@id": "data/" + split + ".parquet"},
				"extract": object{"fileProperty": "filename"}, "transform": object{"regex": `^(.*)\.parquet$`}}})
	}
	return fields
}

// A croissantColumn is a column of a table, whose inner fields are reached by JSON paths.
type croissantColumn struct{ file, column string }

var croissantTypes = map[kind]string{whole: "sc:Integer", number: "sc:Float", truth: "sc:Boolean", textual: "sc:Text", mixed: "sc:Text"}

func (c croissantColumn) field(id string, s *shape, inner string) object {
	f := object{"@type": "cr:Field", "@id": id, "name": id}
	for s.kind == listing {
		f["repeated"], s = true, s.of
		if inner += "[*]"; s.kind != group && s.kind != listing {
			inner = strings.TrimSuffix(inner, "[*]")
		}
	}
	if s.kind == group {
		var fields []object
		for _, name := range s.names {
			fields = append(fields, c.field(id+"/"+name, s.fields[name], strings.TrimPrefix(inner+"."+name, ".")))
		}
		f["subField"] = fields
		return f
	}
	source := object{"fileObject": object{"@id": c.file}, "extract": object{"column": c.column}}
	if inner != "" {
		source["transform"] = object{"jsonPath": inner}
	}
	f["dataType"], f["source"] = croissantTypes[s.kind], source
	return f
}
