// Exit with parent: starts commands that cannot outlive this process, by way of child-wrapper.mjs.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../is-record.mjs'

const WRAPPER = fileURLToPath(new URL('./child-wrapper.mjs', import.meta.url))

/**
 * @typedef {object} Options
 * @property {import('node:child_process').StdioOptions} [stdio] of the command; three entries
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [stopSignal] ends the command early; SIGTERM if not given
 * @property {string} [removeFolder] is removed when the command ends
 * @property {(message: unknown) => void} [onMessage] the command is a Node program that sends messages
 */

/**
 * Starts a command that cannot outlive this process. Kill the returned process with SIGTERM to stop it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 */
export const spawnExitingWithParent = (command, args, options = {}) => {
  const { stdio = ['ignore', 'inherit', 'inherit'], cwd, env = process.env, onMessage, ...rest } = options
  const child = spawn(
    process.execPath,
    [WRAPPER, JSON.stringify({ ...rest, messages: onMessage !== undefined }), command, ...args],
    {
      stdio: [...(Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]), 'ipc'],
      // A group of its own: what kills our group would leave the command without its wrapper, and when the wrapper
      // alone is killed, its group still reaches the command.
      detached: true,
      env,
      ...(cwd === undefined ? {} : { cwd }),
    },
  )
  child.on('message', (message) => {
    if (isRecord(message)) onMessage?.(message['message'])
  })
  child.on('exit', () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nothing is left of the group, as it should be.
    }
  })
  return child
}

/**
 * Runs a command to its end and returns what it printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Omit<Options, 'stdio'>} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const runAndCapture = (command, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawnExitingWithParent(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
        output += part
      })
    }
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })

/**
 * Runs a command to its end; its output goes to ours.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Omit<Options, 'stdio'>} [options]
 * @returns {Promise<number>} its exit code
 */
export const runWithOutput = (command, args, options = {}) =>
  new Promise((resolve) => {
    spawnExitingWithParent(command, args, options).on('exit', (code) => resolve(code ?? 1))
  })
