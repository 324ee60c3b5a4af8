/** Child processes that a test starts and watches. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Polls until it holds. */
export const waitUntil = async (what: string, holds: () => boolean, timeoutMs = 10_000): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await wait(10)
  }
}

/** A zombie counts as gone: it waits for an init process that a container may not have. */
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

/** Waits for the process id that a child wrote to `<name>.pid`. */
export const readPid = async (folder: string, name: string): Promise<number> => {
  const readText = (): string => {
    try {
      return readFileSync(join(folder, `${name}.pid`), 'utf8')
    } catch {
      return ''
    }
  }
  await waitUntil(`${name} has started`, () => readText() !== '')
  return Number(readText())
}

/** The environment for a program that is no part of this test run. */
export const environmentOutsideTests = (): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return env
}
