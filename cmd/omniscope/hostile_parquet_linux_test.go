package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetPage is a page of a made file, with what its header says, true or not.
type parquetPage struct {
	header format.PageHeader
	data   []byte
}

// hostileParquet are files of Parquet that the library would not write.
func hostileParquet(captions []string) []hostile {
	return []hostile{
		{name: "a Parquet file of noise", file: "rows.jsonl", text: filled("PAR1", "\x00\x01", nearly10MB, "PAR1"), args: captions, says: "its metadata are longer than the file"},
		{name: "Parquet: a list of sixty million texts in one row", file: "rows.parquet", text: longList(60_000_000), args: captions, says: "--max-row-size"},
		{name: "Parquet: rows of a long text, a thousand of the same", file: "rows.parquet", text: sameText(1<<20, 1000), args: append([]string{"--max-input-size", "300MB"}, captions...), says: "--max-input-size"},
		{name: "Parquet: a text that is too long", file: "rows.parquet", text: sameText(20<<20, 1), args: captions, says: "--max-row-size"},
		{name: "Parquet: a page of two gigabytes", file: "rows.parquet", text: largePages(1, 1<<31-1), args: captions, says: "--max-row-size"},
		{name: "Parquet: large pages of many columns", file: "rows.parquet", text: largePages(300, 60<<20), args: captions, says: "--max-row-size"},
		{name: "Parquet: more values than there are", file: "rows.parquet", text: onePage(1<<31-1, nil), args: captions},
		{name: "Parquet: four thousand million rows", file: "rows.parquet", text: emptyRows(1 << 32), args: captions},
		{name: "Parquet: rows of nothing", file: "rows.parquet", text: emptyRows(60_000_000), args: captions, says: "--max-input-rows", slow: true},
		{name: "Parquet: a million columns", file: "rows.parquet", text: manyColumns, args: captions, says: "more than 100000 fields"},
		{name: "Parquet: fields within fields", file: "rows.parquet", text: deepColumns(200), args: captions, says: "nest more than 100 deep"},
	}
}

func leafOf(name string, repetition format.FieldRepetitionType) format.SchemaElement {
	return format.SchemaElement{Name: name, Type: new(format.ByteArray), RepetitionType: new(repetition), LogicalType: &format.LogicalType{UTF8: new(format.StringType)}}
}

func marshalled(v any) []byte {
	text, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(err)
	}
	return text
}

// parquetOf is a file of one row group with the columns, which all hold the same pages.
func parquetOf(rows, values int64, codec format.CompressionCodec, columns []format.SchemaElement, pages ...parquetPage) []byte {
	var b bytes.Buffer
	b.WriteString("PAR1")
	for _, p := range pages {
		p.header.CompressedPageSize = int32(len(p.data))
		b.Write(marshalled(&p.header))
		b.Write(p.data)
	}
	meta := format.FileMetaData{Version: 2, NumRows: rows, RowGroups: []format.RowGroup{{NumRows: rows}}}
	meta.Schema = append(meta.Schema, format.SchemaElement{Name: "root", NumChildren: int32(len(columns))})
	meta.Schema = append(meta.Schema, columns...)
	for range columns {
		meta.RowGroups[0].Columns = append(meta.RowGroups[0].Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{Type: format.ByteArray, Codec: codec, NumValues: values, DataPageOffset: 4, TotalCompressedSize: int64(b.Len())}})
	}
	return closed(b.Bytes(), marshalled(&meta))
}

func closed(file, footer []byte) []byte {
	file = append(file, footer...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
	return append(file, "PAR1"...)
}

// runOf is the same number many times, as levels and keys are stored.
func runOf(times uint64, value byte) []byte {
	return append(binary.AppendUvarint(nil, times<<1), value)
}

func dictionaryOf(text string) parquetPage {
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	return parquetPage{format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: int32(len(data)), DictionaryPageHeader: &format.DictionaryPageHeader{NumValues: 1}}, data}
}

func keysOf(values int32, levels []byte, reps, defs int) parquetPage {
	data := append(levels, append([]byte{1}, runOf(uint64(values), 0)...)...)
	return parquetPage{format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: int32(len(data)), DataPageHeaderV2: &format.DataPageHeaderV2{
		NumValues: values, Encoding: format.RLEDictionary, RepetitionLevelsByteLength: int32(reps), DefinitionLevelsByteLength: int32(defs), IsCompressed: new(false)}}, data}
}

func longList(n int32) func() []byte {
	return func() []byte {
		reps := append(runOf(1, 0), runOf(uint64(n-1), 1)...)
		defs := runOf(uint64(n), 1)
		return parquetOf(1, int64(n), format.Uncompressed, []format.SchemaElement{leafOf("caption", format.Repeated)}, dictionaryOf("x"), keysOf(n, append(reps, defs...), len(reps), len(defs)))
	}
}

// sameText is rows that all have one text of so many bytes.
func sameText(size int, rows int32) func() []byte {
	return func() []byte {
		d := dictionaryOf(strings.Repeat("a", size))
		d.data = zstandard(d.data)
		return parquetOf(int64(rows), int64(rows), format.Zstd, []format.SchemaElement{leafOf("caption", format.Required)}, d, keysOf(rows, nil, 0, 0))
	}
}

func zstandard(data []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(data, nil)
}

// largePages is columns of a page that says it has so many bytes, and has sixty million at most.
func largePages(columns, size int) func() []byte {
	return func() []byte {
		var all []format.SchemaElement
		for i := range columns {
			all = append(all, leafOf(fmt.Sprint("c", i), format.Required))
		}
		page := parquetPage{format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(size), DataPageHeader: &format.DataPageHeader{NumValues: 1}}, zstandard(make([]byte, min(size, 60<<20)))}
		return parquetOf(1, 1, format.Zstd, all, page)
	}
}

func onePage(values int32, data []byte) func() []byte {
	return func() []byte {
		page := parquetPage{format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(len(data)), DataPageHeader: &format.DataPageHeader{NumValues: values}}, data}
		return parquetOf(int64(values), int64(values), format.Uncompressed, []format.SchemaElement{leafOf("caption", format.Required)}, page)
	}
}

// emptyRows is rows that lack their only value.
func emptyRows(rows int64) func() []byte {
	return func() []byte {
		defs := runOf(uint64(rows), 0)
		page := parquetPage{format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: int32(len(defs)), DataPageHeaderV2: &format.DataPageHeaderV2{
			NumValues: int32(min(rows, 60_000_000)), DefinitionLevelsByteLength: int32(len(defs)), IsCompressed: new(false)}}, defs}
		return parquetOf(rows, rows, format.Uncompressed, []format.SchemaElement{leafOf("caption", format.Optional)}, page)
	}
}

func manyColumns() []byte {
	meta := format.FileMetaData{Schema: []format.SchemaElement{{Name: "root", NumChildren: 900_000}}}
	for range 900_000 {
		meta.Schema = append(meta.Schema, format.SchemaElement{Name: "c", Type: new(format.Int32)})
	}
	return closed([]byte("PAR1"), marshalled(&meta))
}

func deepColumns(levels int) func() []byte {
	return func() []byte {
		var meta format.FileMetaData
		for range levels {
			meta.Schema = append(meta.Schema, format.SchemaElement{Name: "c", NumChildren: 1, RepetitionType: new(format.Repeated)})
		}
		meta.Schema = append(meta.Schema, leafOf("caption", format.Required))
		return closed([]byte("PAR1"), marshalled(&meta))
	}
}
