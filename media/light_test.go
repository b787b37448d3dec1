package media

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// Scenes of the tests of light, each of 4 s. The first moves and has noise, as a hand-held
// camera.
const (
	aRoom   = "nullsrc=s=12x7:r=25,geq=lum='255*random(1)':cb=120:cr=135,trim=end_frame=1,scale=480:270:flags=bicubic,loop=-1:1,trim=end_frame=100[r1];nullsrc=s=60x34:r=25,geq=lum='255*random(2)':cb=120:cr=135,trim=end_frame=1,scale=480:270:flags=bicubic,loop=-1:1,trim=end_frame=100[r2];[r1][r2]blend=all_mode=average,crop=320:180:'40+8*sin(2*t)':'40+6*cos(3*t)',setpts=N/25/TB,setsar=1,noise=alls=6:allf=t:all_seed=3,format=yuv420p"
	aDesk   = "testsrc2=s=320x180:r=25:d=4,noise=alls=4:allf=t:all_seed=2,format=yuv420p"
	aStreet = "cellauto=s=80x45:r=1:rule=110:random_seed=4,scale=320:180,setsar=1,gblur=sigma=4,format=yuv420p,fps=25,trim=duration=4,loop=-1:1,trim=duration=4"
)

// Changes of light alone are not cuts, and cuts that come with a change of light are.
func TestLightAndCuts(t *testing.T) {
	dark := "eq=contrast=0.3:brightness=-0.33"
	at := func(level string) string { return "eq=eval=frame:brightness='" + level + "'" }
	for _, c := range []struct {
		name  string
		graph string
		want  []string
	}{
		{"a lamp is switched on", aRoom + "," + dark + ":enable='lt(t,2)'", nil},
		{"a lamp is switched off", aRoom + "," + dark + ":enable='gte(t,2)'", nil},
		{"a lamp over a desk is switched on", aDesk + "," + dark + ":enable='lt(t,2)'", nil},
		{"a lamp in a room that is nearly black", aDesk + ",eq=contrast=0.15:brightness=-0.42:enable='lt(t,2)'", nil},
		{"a lamp that lights one side", aRoom + ",split[a][b];[b]" + dark + ",vignette=x0=300:y0=90:angle=PI/4[d];[a][d]overlay=enable='lt(t,2)'", nil},
		{"an exposure step up", aRoom + "," + at("if(lt(t,2),0,0.25)"), nil},
		{"an exposure step down", aRoom + "," + at("if(lt(t,2),0.1,-0.25)"), nil},
		{"an overexposed picture", aDesk + "," + at("if(lt(t,2),0,0.45)"), nil},
		{"gamma", aRoom + ",eq=gamma=2.4:enable='gte(t,2)'", nil},
		{"a flash of a camera", aRoom + "," + at("if(between(t,2,2.1),0.5,0)"), nil},
		{"lightning that fades", aRoom + "," + at("if(gte(t,2),0.7*exp(-4*(t-2)),0)"), nil},
		{"a strobe", aRoom + "," + at("if(lt(mod(t,0.5),0.25),-0.3,0)"), nil},
		{"a slow strobe", aRoom + "," + at("if(lt(mod(t,1.6),0.8),-0.3,0)"), nil},
		{"an explosion that fades", aRoom + "," + at("if(lt(t,1.5),0,if(lt(t,1.9),1,max(0,1-(t-1.9))))"), nil},
		{"glare that ends at once", aRoom + "," + at("if(between(t,1.5,2.1),1,0)"), nil},
		{"a lamp on a moving camera", "testsrc2=s=640x360:r=25:d=4,crop=320:180:60*t:30*t,noise=alls=4:allf=t:all_seed=2,format=yuv420p,eq=contrast=0.5:brightness=-0.25:enable='lt(t,2)'", nil},
		{"a screen that turns on", aRoom + "," + dark + ",drawbox=x=60:y=40:w=150:h=84:color=black:t=fill[r];testsrc2=s=150x84:r=25:d=4[s];[r][s]overlay=60:40:enable='gte(t,2)'", nil},

		{"a dark scene before a bright one", aRoom + ",trim=end=2," + dark + "[a];" + aDesk + ",trim=start=2,setpts=PTS-STARTPTS[b];[a][b]concat=n=2:v=1", []string{"2.00"}},
		{"a bright scene before a dark one", aDesk + ",trim=end=2[a];" + aRoom + ",trim=start=2,setpts=PTS-STARTPTS," + dark + "[b];[a][b]concat=n=2:v=1", []string{"2.00"}},
		{"scenes behind bars", aRoom + ",trim=end=2," + dark + ",drawbox=h=24:color=black:t=fill,drawbox=y=156:h=24:color=black:t=fill[a];" + aDesk + ",trim=start=2,setpts=PTS-STARTPTS,drawbox=h=24:color=black:t=fill,drawbox=y=156:h=24:color=black:t=fill[b];[a][b]concat=n=2:v=1", []string{"2.00"}},
		{"a white frame between scenes", aRoom + ",trim=end=2[a];color=white:s=320x180:r=25:d=0.12,format=yuv420p[w];" + aDesk + ",trim=start=2,setpts=PTS-STARTPTS[b];[a][w][b]concat=n=3", []string{"2.12"}},
		{"night before day", aStreet + ",trim=end=2,eq=contrast=0.5:brightness=-0.3[a];" + aRoom + ",trim=start=2,setpts=PTS-STARTPTS[b];[a][b]concat=n=2:v=1", []string{"2.00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clip.mp4")
			clips.Make(t, path, "-filter_complex", c.graph+",format=yuv420p,setsar=1[out]", "-map", "[out]", "-r", "25", "-c:v", "libx264", "-crf", "22", "-preset", "ultrafast")
			s, err := RunSurvey(t.Context(), probedFile(t, path), SurveyOptions{})
			fixture.OK(t, err)
			var got []string
			for _, cut := range s.Video.Cuts {
				got = append(got, fmt.Sprintf("%.2f", cut.Time.Seconds()))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("cuts at %v, want %v", got, c.want)
			}
		})
	}
}
