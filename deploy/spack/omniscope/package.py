# A recipe for Spack, built from a checkout:
#   spack repo create ~/omniscope-repo omniscope && cp -r deploy/spack/omniscope ~/omniscope-repo/packages/
#   spack repo add ~/omniscope-repo
#   spack dev-build --source-path . omniscope@main
from spack.package import *


class Omniscope(Package):
    """Scores how well models see and hear audio and video, on published benchmarks."""

    license("Apache-2.0")

    # There is no archive of the sources at a fixed address yet: spack dev-build takes a checkout.
    version("main")

    variant("media", default=True, description="With ffmpeg and tesseract, which run, caption and audit use")

    depends_on("go@1.26:", type="build")
    depends_on("bash", type="build")
    depends_on("ffmpeg@5.1:", type="run", when="+media")
    depends_on("tesseract", type="run", when="+media")

    def install(self, spec, prefix):
        bash = which("bash")
        bash("deploy/install.sh", "--source", "--prefix", prefix)
