import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { barestEnvironment } from './server-process.ts'

const LAUNCHER = fileURLToPath(new URL('../../tools/launch.mjs', import.meta.url))

/** Kaikei process: a command of the command line in a process of its own, as an operator runs it. Throws unless it ends with 0. */
export const runKaikei = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> => {
  const child = spawn(process.execPath, [LAUNCHER, 'kaikei', ...args], {
    env: { ...barestEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (line: string) => (errors += line))
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`kaikei ${args[0]} ended with ${child.exitCode}: ${errors}`)
}
