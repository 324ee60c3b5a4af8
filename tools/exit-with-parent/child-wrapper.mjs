// Exit with parent, the wrapper process: node child-wrapper.mjs '{"stopSignal": "SIGTERM", …}' command argument…
// Runs a command that does not watch its parent (npm, vite, PostgreSQL, a browser test): when the process that started
// this one ends, however it ends, the command and its process group end too.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { STOP_SIGNALS } from './watch-parent.mjs'
import { isRecord } from '../is-record.mjs'

const GRACE_MS = 1000

/** @param {string} text */
const readOptions = (text) => {
  /** @type {unknown} */
  const given = JSON.parse(text)
  const options = isRecord(given) ? given : {}
  return {
    uid: typeof options['uid'] === 'number' ? options['uid'] : undefined,
    gid: typeof options['gid'] === 'number' ? options['gid'] : undefined,
    stopSignal: typeof options['stopSignal'] === 'string' ? options['stopSignal'] : 'SIGTERM',
    removeFolder: typeof options['removeFolder'] === 'string' ? options['removeFolder'] : undefined,
    messages: options['messages'] === true,
  }
}

const [optionText = '{}', command = '', ...args] = process.argv.slice(2)
const { uid, gid, stopSignal, removeFolder, messages } = readOptions(optionText)

const child = spawn(command, args, {
  stdio: messages ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  ...(uid === undefined ? {} : { uid }),
  ...(gid === undefined ? {} : { gid }),
})

// spawn.mjs makes this process the leader of a group, so one signal reaches the command, all it started, and us.
/** @param {string} signal */
const killGroup = (signal) => {
  try {
    process.kill(-process.pid, signal)
  } catch {
    // This process leads no group: it was started by hand.
  }
}

let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  killGroup(stopSignal)
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
}

/** @param {number} code */
const end = (code) => {
  if (removeFolder !== undefined) rmSync(removeFolder, { recursive: true, force: true, maxRetries: 3 })
  // Ends the rest of the group. If no stop was asked for, spawn.mjs does this, because our exit code is wanted.
  if (stopping || !process.connected) killGroup('SIGKILL')
  process.exit(code)
}

for (const signal of [...STOP_SIGNALS, 'SIGQUIT']) process.on(signal, stop)
process.on('disconnect', stop)
if (!process.connected) stop()
child.on('message', (message) => {
  // Sending to a parent that just died would throw and end this process before the command is stopped.
  process.send?.({ message }, () => {})
})
child.on('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`)
  end(127)
})
// Not 'exit': that may come before its last message.
child.on('close', (code) => end(code ?? 1))
