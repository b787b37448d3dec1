-- An environment module (Lmod) of omniscope. install.sh puts it to PREFIX/share/modulefiles/omniscope/VERSION.lua:
--   module use PREFIX/share/modulefiles && module load omniscope
local prefix = myFileName():gsub("/share/modulefiles/omniscope/[^/]*$", "")

help("omniscope scores how well models see and hear. `omniscope --help` lists its commands.")
whatis("omniscope: scores how well models see and hear audio and video")
conflict("omniscope")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("XDG_DATA_DIRS", pathJoin(prefix, "share"))
