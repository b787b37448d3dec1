package media

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// containers are the formats that are opened, in ffmpeg's names: those that
// carry picture and sound in the file itself. Left out is what names other
// files or addresses (playlists, manifests, scripts, sequences of pictures) or is
// drawn from text. Whoever makes a file chooses its content, and so the format
// that ffmpeg takes it for, whatever its name ends in.
const containers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,live_flv,asf,asf_o,wtv,rm,mpeg,mpegts,mpegtsraw,mpegvideo,vob,svcd,vcd,dvd," +
	"mxf,mxf_opatom,gxf,lxf,nut,nuv,nsv,dv,swf,ivf,ogg,oga,ogv,opus,spx,wav,w64,rf64,aiff,caf,au,flac,mp3,mp2,aac,loas,latm,ac3,eac3,ac4,dts,dtshd,truehd,mlp," +
	"amr,amrnb,amrwb,ape,wv,tta,tak,mpc,mpc8,shn,dsf,iff,dsdiff,voc,oma,xwma,gsm,ircam,sox,nistsphere,sln,codec2,aptx,sbc,act,aea,g722,g729,dss,qcp,vqf," +
	"h261,h263,h264,hevc,vc1,vc1test,m4v,av1,obu,cavsvideo,avs2,avs3,dirac,mjpeg,mjpeg_2000,mpjpeg,yuv4mpegpipe,dnxhd,apng,gif,webp,fits," +
	"jpeg_pipe,jpegls_pipe,png_pipe,webp_pipe,bmp_pipe,tiff_pipe,gif_pipe,j2k_pipe,jpegxl_pipe,jpegxl_anim,ppm_pipe,pgm_pipe,pbm_pipe,pam_pipe,pgx_pipe,dpx_pipe,exr_pipe,hdr_pipe,psd_pipe," +
	"qoi_pipe,sgi_pipe,sunrast_pipe,pcx_pipe,heif,avif"

// opening are the options before each -i of a media file: no protocol but
// files, no format but containers.
func opening() []string {
	return []string{"-protocol_whitelist", "file", "-format_whitelist", containers}
}

// refusedFormat finds the format that ffmpeg was not allowed to open, in a line of
// its log; "" if the line is about something else.
func refusedFormat(line string) string {
	before, _, found := strings.Cut(line, "Format not on whitelist")
	if !found {
		return ""
	}
	format, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(before), "["), " @ ")
	return format
}

// whyNotOpened says in plain words why a file is not opened that is of a format.
func whyNotOpened(path, format string) string {
	const instead = ", no media: name the media files themselves"
	switch format {
	case "image2", "image2pipe":
		if !strings.ContainsAny(filepath.Base(path), "%*?{}[]") {
			return "a still picture, no video and no sound"
		}
		return "its name looks like a pattern for a sequence of pictures: rename it without % and the marks * ? { } [ ]"
	case "hls":
		return "a playlist (HLS)" + instead
	case "concat", "concatf":
		return "a list of files (concat)" + instead
	case "dash", "webm_dash_manifest":
		return "a playlist (DASH)" + instead
	case "imf":
		return "a playlist (IMF)" + instead
	case "sdp":
		return "a session description (SDP)" + instead
	case "playlist":
		return "a playlist" + instead
	}
	return fmt.Sprintf("a file of format %s, which is not opened: it is without video and audio of its own, or may name other files; convert it to MP4, WebM or WAV", format)
}

// listOf says which kind of list of other media a file begins as; "" if none
// that is known.
func listOf(head []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	for _, known := range []struct{ sign, format string }{
		{"#extm3u", "hls"}, {"ffconcat version", "concat"}, {"v=0\n", "sdp"}, {"v=0\r\n", "sdp"}, {"[playlist]", "playlist"}, {"<asx", "playlist"},
	} {
		if bytes.HasPrefix(text, []byte(known.sign)) {
			return known.format
		}
	}
	for _, known := range []struct{ sign, format string }{{"<mpd", "dash"}, {"<compositionplaylist", "imf"}, {"<playlist", "playlist"}} {
		if bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte(known.sign)) {
			return known.format
		}
	}
	return ""
}
