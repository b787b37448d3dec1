package mcif

import (
	"strconv"
	"strings"
)

// long fills the long track: whole talks. A sample has the same id in all languages.
func (t *set) long() {
	texts := make(map[string]string)
	for _, one := range t.source.transcripts {
		texts[one.base] = one.text
	}
	for i := range t.items {
		one := &t.items[i]
		m := paths{audio: t.alias(one.base+".wav") + ".wav"}
		t.add(file{to: "LONG_AUDIOS/" + m.audio, from: []string{"AUDIO/" + one.base + ".wav"}})
		if t.o.Video {
			m.video = t.videoName(m.audio)
			t.add(file{to: "LONG_VIDEOS/" + m.video, from: []string{"VIDEO/" + one.base + ".mp4"}})
		}
		if _, ok := texts[one.base]; ok && t.o.Text && one.task != transcribe {
			m.text = textName(m.audio)
		}
		for _, l := range t.source.languages.all() {
			if v := one.versions[l.Code]; v != nil {
				t.document("long", l.Code).sample(strconv.Itoa(i), one, v, m)
			}
		}
	}
	if !t.o.Text {
		return
	}
	for _, one := range t.source.transcripts {
		t.add(file{to: "LONG_TEXTS/" + textName(t.alias(one.base+".wav")+".wav"), text: one.text})
	}
}

// textName is the name of the transcript beside a sound file of the set.
func textName(audio string) string { return strings.TrimSuffix(audio, ".wav") + ".en" }

// short fills the short track: talks in segments. Ids are numbered over all items.
func (t *set) short() {
	next := 0
	for i := range t.items {
		switch one := &t.items[i]; one.task {
		case transcribe, translate:
			next = t.segmented(one, next)
		case answer:
			m := t.segmentMedia(one.segments)
			for _, l := range t.source.languages.all() {
				t.document("short", l.Code).sample(strconv.Itoa(next), one, one.versions[l.Code], m)
			}
			next++
		}
	}
}

// segmented adds an item that has a sample for each segment, and one reference for them all.
func (t *set) segmented(one *item, id int) (next int) {
	var ids, audios, videos []string
	var parts []paths
	for i := range one.segments {
		m := t.segmentMedia(one.segments[i : i+1])
		ids, parts, audios = append(ids, strconv.Itoa(id+i)), append(parts, m), append(audios, m.audio)
		if m.video != "" {
			videos = append(videos, m.video)
		}
	}
	all := paths{audio: strings.Join(audios, ","), video: strings.Join(videos, ",")}
	for _, l := range t.source.languages.all() {
		v := one.versions[l.Code]
		if v == nil {
			continue
		}
		d := t.document("short", l.Code)
		d.references.Samples = append(d.references.Samples, one.reference(strings.Join(ids, ","), v, all))
		for i, m := range parts {
			d.define(ids[i], v, m)
		}
	}
	return id + len(ids)
}

// segmentMedia adds the files of segments: of one its own, of several a file that joins them.
func (t *set) segmentMedia(list []segment) paths {
	alias := ""
	if len(list) == 1 {
		alias = t.alias(list[0].name + ".wav")
	} else {
		alias = t.newAlias()
	}
	m := paths{audio: alias + ".wav"}
	audio, video := file{to: "SHORT_AUDIOS/" + m.audio}, file{to: "SHORT_VIDEOS/" + alias + ".mp4"}
	for _, s := range list {
		audio.from = append(audio.from, "SEGMENTED_AUDIO/shas_segments/"+s.name+".wav")
		video.from = append(video.from, "SEGMENTED_VIDEO/"+s.name+".mp4")
	}
	t.add(audio)
	if t.o.Video {
		m.video = alias + ".mp4"
		t.add(video)
	}
	return m
}
