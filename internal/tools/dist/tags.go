package main

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"errors"
	"fmt"
)

// wheelTags are the platforms of Python on which a program for p runs, as tags of wheels name them.
//
// Programs of Go 1.26 need Linux 3.2, macOS 12 or Windows 10 (go.dev/wiki/MinimumRequirements). A static program for Linux needs
// no C library, and so every one will do: manylinux_2_17 is the oldest glibc whose systems have such a kernel (CentOS 7: 3.10;
// PEP 599, PEP 600), musllinux_1_1 the oldest musl that has a tag (PEP 656).
func wheelTags(p platform, program []byte) ([]string, error) {
	switch p.os {
	case "linux":
		if err := checkStatic(program); err != nil {
			return nil, err
		}
		arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.arch]
		return []string{"manylinux_2_17_" + arch, "manylinux2014_" + arch, "musllinux_1_1_" + arch}, nil
	case "darwin":
		major, minor, err := oldestMacOS(program)
		if err != nil {
			return nil, err
		}
		arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[p.arch]
		return []string{fmt.Sprintf("macosx_%d_%d_%s", major, minor, arch)}, nil
	case "windows":
		return []string{"win_" + p.arch}, nil
	}
	return nil, fmt.Errorf("there is no tag of wheels for %s", p)
}

// checkStatic returns an error if a program for Linux asks for a loader or libraries.
func checkStatic(program []byte) error {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			return errors.New("the program is not static, and would not run with every C library that its wheel names")
		}
	}
	return nil
}

// oldestMacOS is the oldest macOS that a program says it runs on: Go's linker writes it (LC_BUILD_VERSION).
func oldestMacOS(program []byte) (major, minor uint32, err error) {
	f, err := macho.NewFile(bytes.NewReader(program))
	if err != nil {
		return 0, 0, err
	}
	const buildVersion = 0x32 // LC_BUILD_VERSION: command, size, platform, oldest system as 16.8.8 bits, SDK
	for _, load := range f.Loads {
		if raw := load.Raw(); len(raw) >= 16 && f.ByteOrder.Uint32(raw) == buildVersion {
			oldest := f.ByteOrder.Uint32(raw[12:])
			return oldest >> 16, oldest >> 8 & 0xff, nil
		}
	}
	return 0, 0, errors.New("the program does not say which macOS it needs")
}
