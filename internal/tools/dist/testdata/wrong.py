import omniscope

omniscope.run([1])  # wrong
omniscope.run(["x"], progress=3)  # wrong
omniscope.run(["x"], shell=True)  # wrong
code: str = omniscope.run(["x"]).code  # wrong
omniscope.load(5)  # wrong
run = omniscope.load("runs")
run.table("blanks", as_="polars")  # wrong
run.judgment  # wrong
omniscope.tables(["a"], as_="csv")  # wrong
try:
    omniscope.run(["x"])
except omniscope.Usage as error:
    exits: str = error.code  # wrong
