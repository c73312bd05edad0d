import { describe, expect, it } from '@jest/globals';
import { shellDiagnosticIn } from './shell-diagnostics.ts';

describe('the error of a utility or a shell', () => {
  it.each([
    ['a file that is not there', "cat: '/srv/notes.txt': No such file or directory"],
    ['a folder that may not be read', 'ls: cannot open directory /root: Permission denied'],
    ['a path before the name', '/usr/bin/cp: target /srv: Not a directory'],
    ['a child process', 'gzip (child): /tmp/a.gz: Cannot open: No such file or directory'],
    ['an option that does not exist', "sort: invalid option -- 'y'\nTry 'sort --help' for more information."],
    ['an operand that is missing', 'cp: missing destination file operand after a.txt'],
    ['an argument that is missing', 'find: missing argument to `-exec'],
    ['a command that is not installed', '/bin/bash: line 1: jq: command not found'],
    ['the same in other shells', 'sh: 1: jq: not found'],
    ['a command that is not well formed', "bash: -c: line 2: unexpected EOF while looking for matching `''"],
    ['the script of an interpreter', 'awk: line 3: syntax error at or near }'],
    ['a name that is the text of the command', '{} : -c: line 1: syntax error near unexpected token `)'],
    ['a repository that is none', 'fatal: not a git repository (or any of the parent directories): .git'],
  ])('is found: %s', (_, text) => {
    expect(shellDiagnosticIn(text)).toBe(text.split('\n')[0]);
  });

  it('is found where output of a package tool comes before it', () => {
    const text = 'Reading package lists...\nBuilding dependency tree...\nE: Unable to locate package jqq';
    expect(shellDiagnosticIn(text)).toBe('E: Unable to locate package jqq');
  });

  it('is not seen in output that has other lines too', () => {
    expect(shellDiagnosticIn('/srv/a.txt\nfind: /srv/private: Permission denied\n/srv/b.txt')).toBeUndefined();
  });

  it.each([
    ['a record', 'id: 7\nreason: permission denied\nstatus: closed'],
    ['an answer to choose', 'Which city?\nA: Rome\nE: Paris'],
    [
      'a log that was asked for',
      '2026-11-02 10:00:01 INFO started\n2026-11-02 10:00:04 WARN disk: no space left on device',
    ],
    ['an advice without an error', 'usage: notes [list | add]'],
    ['a sentence', 'The report says: the file was not found: ask the owner'],
    ['nothing', ''],
  ])('is not seen in %s', (_, text) => {
    expect(shellDiagnosticIn(text)).toBeUndefined();
  });
});
