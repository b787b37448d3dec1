from __future__ import annotations

import concurrent.futures
import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List
from unittest import mock

import omniscope
from omniscope import _program

HERE = Path(__file__).resolve().parent


def setUpModule() -> None:
    global folder, fake
    folder = tempfile.TemporaryDirectory()
    fake = Path(folder.name) / "fake"
    fake.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{HERE / "fake.py"}" "$@"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)


def tearDownModule() -> None:
    folder.cleanup()


def run(*args: str, **more: object) -> omniscope.Completed:
    return omniscope.run(args, program=fake, **{"progress": lambda line: None, **more})  # type: ignore[arg-type]


class Runs(unittest.TestCase):
    def test_outputs_are_apart_and_as_printed(self) -> None:
        done = run("raw")
        self.assertEqual(done.stdout, "größe\r\n\ufffd\n")
        self.assertEqual(done.stderr, "of the other output\n")
        self.assertEqual((done.code, done.command), (0, [str(fake), "raw"]))

    def test_arguments_arrive_as_they_are(self) -> None:
        given = ["$(touch x)", "two words", "*", "", "-", "größe", 'a"b\\']
        self.assertEqual(run("arguments", *given).json(), given)
        self.assertEqual(omniscope.run(["arguments", Path("a") / "b"], program=str(fake)).json(), [os.path.join("a", "b")])

    def test_arguments_as_bytes(self) -> None:
        self.assertEqual(omniscope.run([b"arguments", os.fsencode("größe")], program=fake).json(), ["größe"])  # type: ignore[list-item]
        with self.assertRaises(omniscope.Failed) as caught:
            omniscope.run([b"exits", b"1", b"omniscope: no"], program=fake, progress=lambda line: None)  # type: ignore[list-item]
        self.assertIn("exits 1 'omniscope: no'", str(caught.exception))

    def test_input_that_is_no_text_starts_nothing(self) -> None:
        with mock.patch("subprocess.Popen") as started, self.assertRaises(UnicodeEncodeError):
            run("arguments", input="\udcff")
        started.assert_not_called()

    def test_a_text_in_place_of_arguments_is_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "list of arguments"):
            omniscope.run("eval omni-cloze", program=fake)

    def test_folder_variables_and_input(self) -> None:
        with tempfile.TemporaryDirectory() as cwd:
            got = run("around", cwd=cwd, env={"MINE": "1"}, input="größe").json()
            self.assertEqual(got, {"cwd": os.path.realpath(cwd), "mine": "1", "path": True, "stdin": "größe"})
        self.assertEqual(run("around").json()["stdin"], "")

    def test_much_of_both_outputs(self) -> None:
        done = run("much", "3000000")
        self.assertEqual((len(done.stdout), len(done.stderr)), (3_000_000, 3_000_000))

    def test_much_input_that_is_not_read(self) -> None:
        self.assertEqual(run("arguments", input=b"x" * 1_000_000).json(), [])

    def test_lines_come_while_the_program_runs(self) -> None:
        path, seen = Path(folder.name) / "seen", []  # type: ignore[var-annotated]

        def tell(line: str) -> None:
            seen.append(line)
            path.touch()  # the program waits for it

        run("waits_for", str(path), progress=tell)
        self.assertEqual(seen, ["waiting", "seen"])

    def test_without_progress_lines_go_to_stderr(self) -> None:
        with mock.patch("sys.stderr") as stderr:
            run("exits", "0", "50/200", progress=None)
        self.assertEqual("".join(call.args[0] for call in stderr.write.call_args_list), "50/200\n")


class Errors(unittest.TestCase):
    def test_a_class_for_each_exit_code(self) -> None:
        for code, kind in {
            1: omniscope.Failed,
            2: omniscope.Usage,
            3: omniscope.TooManyFailures,
            4: omniscope.BudgetReached,
            5: omniscope.Worse,
            130: omniscope.Interrupted,
            77: omniscope.Crashed,
        }.items():
            with self.subTest(code=code), self.assertRaises(omniscope.Error) as caught:
                run("exits", str(code), "1/2 (50%)", "omniscope: a note", "omniscope: the reason", "and more of it")
            error = caught.exception
            self.assertIs(type(error), kind)
            self.assertEqual((error.code, error.message), (code, "the reason\nand more of it"))
            self.assertEqual(error.command[:3], [str(fake), "exits", str(code)])
            self.assertIn("1/2 (50%)\n", error.stderr)
            self.assertIn("the reason", str(error))
            self.assertIn(f"exit code {code} of: {fake} exits", str(error))

    def test_unchecked(self) -> None:
        done = run("exits", "3", "omniscope: too many", check=False)
        self.assertEqual((done.code, done.stderr), (3, "omniscope: too many\n"))

    def test_a_fault_within_is_no_wrong_usage(self) -> None:
        with self.assertRaises(omniscope.Crashed) as caught:
            run("exits", "2", "panic: index out of range", "goroutine 1 [running]:")
        self.assertEqual(caught.exception.code, 2)
        with self.assertRaises(omniscope.Crashed) as caught:
            run("killed")
        self.assertEqual((caught.exception.code, caught.exception.message), (-signal.SIGKILL, "it said nothing"))

    def test_errors_travel_between_processes(self) -> None:
        error = omniscope.Usage(2, ["omniscope", "x"], "no such command", "out", "err")
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), copy.__dict__, str(copy)), (omniscope.Usage, error.__dict__, str(error)))

    def test_a_failing_callback_ends_the_program_in_order(self) -> None:
        told: List[str] = []

        def tell(line: str) -> None:
            told.append(line)
            raise ZeroDivisionError

        came = Path(folder.name) / "came"
        with self.assertRaises(ZeroDivisionError):
            run("interrupted", "1", str(came), progress=tell)
        self.assertEqual((told, came.read_text()), (["ready"], "1"))


class Interrupts(unittest.TestCase):
    def interrupted(self, times: int) -> "tuple[KeyboardInterrupt, List[str]]":
        told: List[str] = []

        def tell(line: str) -> None:
            told.append(line)
            if "ready" in line or "ending" in line and len(told) <= times:
                signal.raise_signal(signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt) as caught:
            run("interrupted", str(times), progress=tell)
        return caught.exception, told

    def test_the_first_lets_the_program_end(self) -> None:
        stop, told = self.interrupted(1)
        cause = stop.__cause__
        self.assertIsInstance(cause, omniscope.Interrupted)
        assert isinstance(cause, omniscope.Interrupted)
        self.assertEqual(cause.message, "interrupted 1 times; run the same command again")
        self.assertEqual(told, ["ready", "omniscope: ending; interrupt again to end at once", "omniscope: " + cause.message])

    def test_the_second_reaches_the_program_too(self) -> None:
        stop, _ = self.interrupted(2)
        self.assertIn("interrupted 2 times", str(stop.__cause__))

    def test_a_terminal_that_tells_the_whole_group(self) -> None:
        # This process learns of it later than its group, so that two signals to the program do not look like one.
        script = """
import os, signal, sys, time, omniscope
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored by what they start with &

def tell(line):
    if line == "ready":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        os.killpg(0, signal.SIGINT)
        time.sleep(0.1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

try:
    omniscope.run(["interrupted", "1"], program=sys.argv[1], progress=tell)
except KeyboardInterrupt as stop:
    print(stop.__cause__.message)
"""
        done = subprocess.run([sys.executable, "-c", script, fake], start_new_session=True, capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(done.stdout, "interrupted 1 times; run the same command again\n", done.stderr)

    def test_a_signal_that_ends_this_process_ends_the_program_first(self) -> None:
        script = """
import os, signal, sys, omniscope
signal.signal(getattr(signal, sys.argv[2]), signal.SIG_DFL)  # nohup has SIGHUP ignored
tell = lambda line: os.kill(os.getpid(), getattr(signal, sys.argv[2])) if line == "ready" else None
omniscope.run(["interrupted", "1", sys.argv[3]], program=sys.argv[1], progress=tell)
"""
        for name in ("SIGTERM", "SIGHUP"):
            came = Path(folder.name) / name
            done = subprocess.run([sys.executable, "-c", script, fake, name, came], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr, came.read_text()), (-getattr(signal, name), "", "1"))
        self.assertIs(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)

    def test_in_another_thread(self) -> None:
        with concurrent.futures.ThreadPoolExecutor() as threads:
            done = list(threads.map(lambda text: run("arguments", text).json(), ["a", "b", "c"]))
        self.assertEqual(done, [["a"], ["b"], ["c"]])


class Places(unittest.TestCase):
    def test_the_scripts_of_this_python_come_first(self) -> None:
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            (Path(b) / _program.NAME).touch()
            with mock.patch.object(_program, "_folders", lambda: iter([Path(a), Path(b)])):
                self.assertEqual(omniscope.find_program(), Path(b) / _program.NAME)
                (Path(a) / _program.NAME).touch()
                self.assertEqual(omniscope.find_program(), Path(a) / _program.NAME)

    def test_a_program_that_is_nowhere(self) -> None:
        with tempfile.TemporaryDirectory() as a, mock.patch.object(_program, "_folders", lambda: iter([Path(a)])):
            with self.assertRaisesRegex(omniscope.ProgramNotFound, "in none of .*: install the wheel"):
                omniscope.run(["--version"])


if __name__ == "__main__":
    unittest.main()
