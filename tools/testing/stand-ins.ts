import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/** A folder with these files, gone after the test. */
export const folderWith = (t: TestContext, files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-tools-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

export const until = async (what: string, holds: () => boolean, limitMs = 10_000): Promise<void> => {
  const limit = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > limit) throw new Error(`not within ${limitMs} ms: ${what}`)
    await wait(10)
  }
}

/** A zombie counts as gone: it waits for an init that a container may not have. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** Reads the process ids that stand-ins wrote as `<name>.pid`. */
export const pidOf = async (folder: string, name: string): Promise<number> => {
  const read = (): string => {
    try {
      return readFileSync(join(folder, `${name}.pid`), 'utf8')
    } catch {
      return ''
    }
  }
  await until(`${name} has started`, () => read() !== '')
  return Number(read())
}

/** The environment for a program that is no part of this test run. */
export const outsideTests = (): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env
  return env
}
