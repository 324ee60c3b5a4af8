import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { readCpuMs, readMemory } from './inspected-process.ts'

const MEBIBYTE = 2 ** 20

/** Runs these lines in a process of its own and reads its inspector once they have run. */
const readAfter = async (lines: string, read: (inspectorUrl: string) => Promise<number>): Promise<number> => {
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', '-e', `${lines}; setInterval(() => {}, 1000); console.error('done')`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  try {
    let url = ''
    for await (const line of createInterface({ input: child.stderr })) {
      url = /^Debugger listening on (\S+)/.exec(line)?.[1] ?? url
      if (line === 'done') break
    }
    return await read(url)
  } finally {
    child.kill('SIGKILL')
  }
}

const heapMebibytes = async (url: string): Promise<number> => (await readMemory(url)).heapBytes / MEBIBYTE

test('memory that is still used is counted, and freed memory is not', async () => {
  const fill = 'Array.from({ length: 1e6 }, (_, place) => ({ place }))'
  const kept = await readAfter(`globalThis.kept = ${fill}`, heapMebibytes)
  const letGo = await readAfter(fill, heapMebibytes)
  assert.ok(kept - letGo > 15, `${kept} and ${letGo} MiB`)
})

test('the CPU time of a process is counted in milliseconds', async () => {
  const spin = 'while (process.cpuUsage().user < 600e3);'
  const busy = await readAfter(spin, readCpuMs)
  assert.ok(busy >= 600 && busy < 60_000, `${busy} ms`)
})
