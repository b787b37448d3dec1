package deploycheck

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	fixture.OK(t, err)
	return string(text)
}

// TestYAMLAndJSONFiles: what others read has to be read at all, and to name files that are there.
func TestYAMLAndJSONFiles(t *testing.T) {
	for _, name := range []string{"action.yml", ".pre-commit-hooks.yaml", "deploy/compose.yaml", "deploy/conda/recipe.yaml"} {
		var into any
		readYAML(t, name, &into)
	}
	var hooks []struct{ ID, Entry, Language string }
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	for _, h := range hooks {
		if info, err := os.Stat(filepath.Join(root, h.Entry)); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("hook %s runs %s: %v", h.ID, h.Entry, err)
		}
	}
	var container struct {
		Build struct{ Dockerfile, Context string }
	}
	fixture.OK(t, json.Unmarshal([]byte(readFile(t, ".devcontainer/devcontainer.json")), &container))
	if _, err := os.Stat(filepath.Join(root, ".devcontainer", container.Build.Dockerfile)); err != nil || container.Build.Context != ".." {
		t.Errorf("%+v: %v", container, err)
	}
}

// TestScriptsAreBash has bash read all scripts that are run elsewhere.
func TestScriptsAreBash(t *testing.T) {
	bash := need.Program(t, "bash")
	scripts, err := filepath.Glob(filepath.Join(root, "deploy/*.sh"))
	batches, _ := filepath.Glob(filepath.Join(root, "deploy/slurm/*.sbatch"))
	if scripts = append(scripts, batches...); err != nil || len(scripts) != 4 {
		t.Fatalf("%q, %v", scripts, err)
	}
	for _, script := range scripts {
		if said, err := exec.Command(bash, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
	}
}

// imageUser is the user of the image's last stage, and the folder that it works in.
func imageUser(t *testing.T) (user, work string) {
	t.Helper()
	all, err := readDockerfile(readFile(t, "deploy/Dockerfile"))
	fixture.OK(t, err)
	for _, in := range all {
		switch in.name {
		case "USER":
			user = in.args
		case "WORKDIR":
			work = in.args
		}
	}
	return user, work
}

// TestClusterFilesAgreeWithImage: user and folder of work are the image's.
func TestClusterFilesAgreeWithImage(t *testing.T) {
	user, work := imageUser(t)
	for part := range strings.SplitSeq(readFile(t, "deploy/kubernetes.yaml"), "\n---\n") {
		var d struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						SecurityContext struct {
							RunAsNonRoot                   bool `yaml:"runAsNonRoot"`
							RunAsUser, RunAsGroup, FSGroup int
						} `yaml:"securityContext"`
						Containers []struct {
							Args         []string
							VolumeMounts []struct {
								MountPath string `yaml:"mountPath"`
							} `yaml:"volumeMounts"`
						}
					}
				}
			}
		}
		fixture.OK(t, yaml.Unmarshal([]byte(strings.NewReplacer("runAsUser", "runasuser", "runAsGroup", "runasgroup", "fsGroup", "fsgroup").Replace(part)), &d))
		pod := d.Spec.Template.Spec
		if s := pod.SecurityContext; !s.RunAsNonRoot || fmt.Sprintf("%d:%d", s.RunAsUser, s.RunAsGroup) != user || s.FSGroup != s.RunAsGroup {
			t.Errorf("%s: runs as %+v, the image as %s", d.Kind, s, user)
		}
		for _, c := range pod.Containers {
			if i := slices.Index(c.Args, "--work-dir"); i < 0 || c.Args[i+1] != work {
				t.Errorf("%s: arguments %q, and the image works in %s", d.Kind, c.Args, work)
			}
			if c.VolumeMounts[0].MountPath != work {
				t.Errorf("%s: mounts %+v", d.Kind, c.VolumeMounts)
			}
		}
	}
	var compose struct {
		Services map[string]struct {
			Volumes []string
			Build   struct{ Context, Dockerfile string }
		}
	}
	readYAML(t, "deploy/compose.yaml", &compose)
	worker := compose.Services["worker"]
	if !slices.Contains(worker.Volumes, work) || worker.Build.Dockerfile != "deploy/Dockerfile" {
		t.Errorf("compose.yaml: %+v, and the image works in %s", worker, work)
	}
}

// spack has what the recipe takes from Spack; it prints the command that installs.
const spack = `
import sys, types
said = []
module = types.ModuleType("spack.package")
module.Package = object
for name in "license", "version", "variant", "depends_on":
    setattr(module, name, lambda *args, **named: said.append((args, named)))
module.which = lambda name: lambda *args: print(name, *args)
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
scope = {}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), scope)
scope["Omniscope"]().install(None, "/prefix")
`

func TestSpackRecipe(t *testing.T) {
	cmd := exec.Command(need.Program(t, "python3"), "-c", spack, filepath.Join(root, "deploy/spack/omniscope/package.py"))
	said, err := cmd.CombinedOutput()
	if want := "bash deploy/install.sh --source --prefix /prefix\n"; err != nil || string(said) != want {
		t.Errorf("%v: %s, want %s", err, said, want)
	}
}

// TestLongCondaRecipe runs the recipe's script, with the variables that rattler-build sets. It builds the program from the sources, as the
// image does. Source of the form: rattler_build_script 0.2.2, src/script.rs.
func TestLongCondaRecipe(t *testing.T) {
	var recipe struct {
		Build struct {
			Script struct {
				Env     map[string]string
				Content []string
			}
		}
	}
	readYAML(t, "deploy/conda/recipe.yaml", &recipe)
	if recipe.Build.Script.Env["VERSION"] != "v${{ version }}" || len(recipe.Build.Script.Content) != 1 {
		t.Fatalf("%+v", recipe)
	}
	prefix := filepath.Join(t.TempDir(), "conda prefix")
	cmd := exec.Command("bash", "-e", "-c", recipe.Build.Script.Content[0])
	cmd.Dir, cmd.Env = root, append(cleanEnviron(), "PREFIX="+prefix, "VERSION=v9.8.7")
	if said, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(said), "installed omniscope v9.8.7 in "+prefix) {
		t.Errorf("%v: %s", err, said)
	}
}

// installedModules is a prefix, and the version of its module.
func installedModules(t *testing.T) (prefix, version string) {
	t.Helper()
	prefix = filepath.Join(t.TempDir(), "a b")
	cmd := exec.Command("bash", filepath.Join(root, "deploy/install.sh"), "--prefix", prefix, "--program", recording(t))
	cmd.Env = cleanEnviron()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	found, err := filepath.Glob(filepath.Join(prefix, "share/modulefiles/omniscope/*.lua"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	return prefix, strings.TrimSuffix(filepath.Base(found[0]), ".lua")
}

// TestModule loads the module as users of a cluster do, and runs the program that it brings.
func TestModule(t *testing.T) {
	modules := need.Program(t, "modulecmd")
	prefix, version := installedModules(t)
	script := fmt.Sprintf(`eval "$(%s bash load omniscope/%s)" && command -v omniscope && omniscope --version && printf '%%s\n' "$MANPATH" "$XDG_DATA_DIRS"`, modules, version)
	cmd := exec.Command("bash", "-c", script)
	cmd.Env = append(cleanEnviron(), "MODULEPATH="+filepath.Join(prefix, "share/modulefiles"))
	said, err := cmd.CombinedOutput()
	for _, want := range []string{filepath.Join(prefix, "bin/omniscope") + "\n", "omniscope version ", filepath.Join(prefix, "share/man"), filepath.Join(prefix, "share")} {
		if err != nil || !strings.Contains(string(said), want) {
			t.Errorf("%v, want %q: %s", err, want, said)
		}
	}
}

// lmod are the functions of Lmod that the module calls; they print what they are given.
const lmod = `
function myFileName() return arg[1] end
function pathJoin(a, b) return a .. "/" .. b end
function help() end
function whatis() end
function conflict() end
function prepend_path(name, value) print(name .. "=" .. value) end
dofile(arg[1])
`

func TestModuleOfLmod(t *testing.T) {
	need.Processes(t)
	lua := ""
	for _, name := range []string{"lua", "lua5.4", "lua5.3", "luajit"} {
		if path, err := exec.LookPath(name); err == nil {
			lua = path
		}
	}
	if lua == "" {
		t.Skip("lua is not installed")
	}
	prefix, version := installedModules(t)
	script := filepath.Join(t.TempDir(), "lmod.lua")
	fixture.OK(t, os.WriteFile(script, []byte(lmod), 0o644))
	said, err := exec.Command(lua, script, filepath.Join(prefix, "share/modulefiles/omniscope", version+".lua")).CombinedOutput()
	want := fmt.Sprintf("PATH=%[1]s/bin\nMANPATH=%[1]s/share/man\nXDG_DATA_DIRS=%[1]s/share\n", prefix)
	if err != nil || string(said) != want {
		t.Errorf("%v: %s, want %s", err, said, want)
	}
}
