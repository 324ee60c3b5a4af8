import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { commandLinesIn, commandsRunBy, wordsOf } from '../../proof/harness/documented-commands.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { OPEN_SERVER_DATABASE, type OpenServerDatabase } from '../../proof/harness/server-databases.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { PROGRAM } from './command.ts'
import { COMMANDS } from './command-groups.ts'

const THIS_TEST = 'server/commands/documented-commands.test.ts'
const PROGRAM_WORDS = PROGRAM.split(' ')
const DOCUMENTS = [
  'docs/operations.md',
  'docs/ja/operations.md',
  'docs/command-line.md',
  'docs/sandbox-cards.md',
  'docs/data.md',
]
/** It looks at a server that listens under its public name, of which there is none here: its checks fail, and it says so. */
const ENDS_WITH_ONE = ['doctor']
/** A server that somebody has started on the usual port would be found healthy. */
const UNUSED_PORT = '2'

const read = (document: string): Promise<string> =>
  readFile(new URL(`../../${document}`, import.meta.url), { encoding: 'utf8' })

describe('the commands of the documents', { concurrency: 1 }, () => {
  let folder: string
  let place: OpenServerDatabase
  let sandbox: SandboxProcess
  let env: Record<string, string>
  before(async () => {
    sandbox = await startSandbox()
  })
  after(() => sandbox.stop())
  // A database of its own for each document: those of two languages open the same shop.
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-documents-'))
    place = await OPEN_SERVER_DATABASE.SQLite(folder)
    // A document names files as they would lie in the reader's own folder.
    process.chdir(folder)
    const secretKey = '0123456789abcdef'.repeat(4)
    env = { ...place.env, SECRET_KEY: secretKey, PORT: UNUSED_PORT, SANDBOX_PORT: new URL(sandbox.origin).port }
  })
  afterEach(async () => {
    process.chdir(import.meta.dirname)
    await place.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const document of DOCUMENTS)
    test(`those of ${document} are carried out one after the other, as they stand there`, async () => {
      const lines = commandsRunBy(THIS_TEST, await read(document)).flatMap(commandLinesIn)
      assert.notEqual(lines.length, 0)
      for (const line of lines) {
        const words = wordsOf(line)
        assert.deepEqual(words.slice(0, PROGRAM_WORDS.length), PROGRAM_WORDS, line)
        const args = words.slice(PROGRAM_WORDS.length)
        const { code, errors } = await runCommand(args, env)
        assert.deepEqual([code, errors], [ENDS_WITH_ONE.includes(args[0] ?? '') ? 1 : 0, []], line)
      }
    })
})

test('every option that docs/command-line.md shows is one of its command', async () => {
  const shown = [...(await read('docs/command-line.md')).matchAll(/`([a-z-]+(?: [a-z]+)?) (--[^`]+)`/g)].flatMap(
    ([, name = '', options = '']) => [...options.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => [name, option]),
  )
  assert.notEqual(shown.length, 0)
  for (const [name = '', option = ''] of shown)
    assert.ok(COMMANDS.get(name)?.options?.[option] !== undefined, `${name} --${option}`)
})
