"""Running the program."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Callable, Dict, Generator, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import Error, error_of
from ._program import find_program

Argument = Union[str, "os.PathLike[str]"]
Progress = Callable[[str], object]


@dataclass(frozen=True)
class Completed:
    """A command that ended: its command line, exit code, and what it printed."""

    command: List[str]
    code: int
    stdout: str
    stderr: str

    def json(self) -> Any:
        """The standard output of a command that was given --json."""
        return json.loads(self.stdout)


def run(
    args: Sequence[Argument],
    *,
    progress: Optional[Progress] = None,
    check: bool = True,
    cwd: Optional[Argument] = None,
    env: Optional[Mapping[str, str]] = None,
    input: Union[str, bytes, None] = None,
    program: Optional[Argument] = None,
) -> Completed:
    """Runs the program with arguments, without a shell, and waits for its end.

    progress gets each line of the standard error as it comes, such as "50/200 (25%) 5/s, ETA 30s"; without it they go to
    sys.stderr. An exit code other than 0 raises a subclass of Error, or is in the result with check=False. env are
    variables beside those of this process. input is the standard input; without it there is none.

    Ctrl-C lets the program end in order: calls on the wire are waited for, since they are paid for. Then KeyboardInterrupt
    goes on, caused by Interrupted. A second Ctrl-C ends it at once. An exception of progress ends it in order as well, and so
    does a signal that ends this process, such as SIGTERM.
    """
    if isinstance(args, (str, bytes)):
        raise TypeError("args is a list of arguments, such as ['eval', 'mcif']; a text would need a shell to cut it")
    command = [os.fsdecode(part) for part in (program if program is not None else find_program(), *args)]
    tell = progress if progress is not None else _to_stderr
    with _terminable():
        running = _Running(command, cwd, env, input)
        try:
            running.follow(tell)
        except KeyboardInterrupt as stop:
            running.end(tell)
            raise stop from running.completed()[1]
        except BaseException:
            running.end(_nowhere)
            raise
    done, error = running.completed()
    if check and error is not None:
        raise error
    return done


class _Terminated(BaseException):
    """This process was sent a signal that ends it."""


# Signals of schedulers and terminals. Windows has none that a process could handle.
_ENDING: Tuple[signal.Signals, ...] = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def _terminable() -> Generator[None, None, None]:
    """Has signals that end this process raise _Terminated, so that the program is ended too: it is in a group of its own."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread handles signals
        return
    taken = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    came: List[int] = []

    def terminate(number: int, frame: object) -> None:
        came.append(number)
        raise _Terminated

    for number in taken:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        if came:
            signal.raise_signal(came[0])  # it ends this process now


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _nowhere(line: str) -> None:
    pass


class _Running:
    """A program that runs. Threads read its outputs, so that none of them fills up and the waiting can be interrupted."""

    def __init__(
        self, command: List[str], cwd: Optional[Argument], env: Optional[Mapping[str, str]], input: Union[str, bytes, None]
    ) -> None:
        self.command = command
        # Before the program starts: a text that is no Unicode must not leave one behind that nobody waits for.
        data = input.encode() if isinstance(input, str) else input
        variables: Optional[Dict[str, str]] = None if env is None else {**os.environ, **env}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if data is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=variables,
            # In a group of its own the program is not told of Ctrl-C by the terminal too: told twice, it would end at once.
            start_new_session=sys.platform != "win32",
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0,
        )
        self.stdout = b""
        self.stderr: List[str] = []
        self.lines: queue.SimpleQueue[Optional[str]] = queue.SimpleQueue()
        self.threads = [_started(self._read_stdout), _started(self._read_stderr)]
        if data is not None:
            self.threads.append(_started(lambda: self._write_stdin(data)))

    def _read_stdout(self) -> None:
        with _pipe(self.process.stdout) as pipe:
            self.stdout = pipe.read()

    def _read_stderr(self) -> None:
        with _pipe(self.process.stderr) as pipe:
            for line in pipe:
                self.lines.put(_text(line).rstrip("\r\n"))
        self.lines.put(None)

    def _write_stdin(self, data: bytes) -> None:
        try:
            with _pipe(self.process.stdin) as pipe:
                pipe.write(data)
        except OSError:
            pass  # the program ended before it had read everything; its exit code says why

    def follow(self, tell: Progress) -> None:
        """Passes lines on until the program has closed its standard error, and waits for its end."""
        while True:
            try:
                line = self.lines.get(timeout=0.2)  # Windows lets nothing interrupt a wait without an end
            except queue.Empty:
                continue
            if line is None:
                break
            self.stderr.append(line)
            tell(line)
        for thread in self.threads:
            thread.join()
        self.process.wait()

    def end(self, tell: Progress) -> None:
        """Ends the program: in order, at once where Ctrl-C is pressed meanwhile, and by force the third time."""
        for stop in (self._interrupt, self._interrupt, self.process.kill):
            try:
                stop()
                self.follow(tell)
                return
            except (KeyboardInterrupt, _Terminated):
                continue
        self.process.wait()

    def _interrupt(self) -> None:
        if sys.platform == "win32":
            self.process.send_signal(signal.CTRL_BREAK_EVENT)  # the one that reaches a group; the program takes it as Ctrl-C
        else:
            self.process.send_signal(signal.SIGINT)

    def completed(self) -> Tuple[Completed, Optional[Error]]:
        code, stdout, stderr = self.process.wait(), _text(self.stdout), "".join(line + "\n" for line in self.stderr)
        return Completed(self.command, code, stdout, stderr), error_of(code, self.command, stdout, stderr)


def _started(do: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


def _pipe(pipe: Optional[IO[bytes]]) -> IO[bytes]:
    assert pipe is not None  # each was asked for
    return pipe


def _text(data: bytes) -> str:
    """What the program printed. It prints UTF-8, except for names of files that are none."""
    return data.decode("utf-8", errors="replace")
