/** Empty root: a root folder with a shell, sha256sum, the libraries of these and of Node, and nothing else. No npm, no git, no compiler. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../../tools/command-error.mjs'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import { giveToNobody } from './unpacked.ts'

const PROGRAMS = ['/bin/sh', '/usr/bin/sha256sum']

/** The files that the loader needs for a program, as ldd prints them. */
export const librariesIn = (words: string): string[] =>
  words.split('\n').flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])

const librariesOf = async (program: string): Promise<string[]> => {
  const { code, output } = await runAndCapture('ldd', [program])
  if (code !== 0) throw new CommandError(`ldd ${program} failed: ${output}`)
  return librariesIn(output)
}

const mustRun = async (command: string, ...args: string[]): Promise<void> => {
  const { code, output } = await runAndCapture(command, args)
  if (code !== 0) throw new CommandError(`${command} ${args.join(' ')} failed: ${output}`)
}

/** Needs root: for chroot, and for the one device that Node opens. */
export const makeEmptyRoot = async (root: string, node: string) => {
  const libraries = new Set((await Promise.all([...PROGRAMS, node].map(librariesOf))).flat())
  for (const file of [...PROGRAMS, ...libraries]) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    if (!existsSync(join(root, file))) copyFileSync(file, join(root, file))
  }
  for (const folder of ['dev', 'data', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['data', 'tmp']) giveToNobody(join(root, folder))
  await mustRun('mknod', '-m', '666', join(root, 'dev', 'null'), 'c', '1', '3')
  // Where the release may write, seen from inside.
  return { libraries: libraries.size, dataDir: '/data' }
}
