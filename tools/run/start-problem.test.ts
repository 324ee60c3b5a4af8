import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { listenDuring } from '../../proof/harness/end-server.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { readConfig, type Config } from '../../server/config/config.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { readServerAddress, removeServerAddress, writeServerAddress } from '../../server/store/engine/running-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { startProblem } from './start-problem.ts'

const configOf = async (t: TestContext, more: Record<string, string> = {}): Promise<Config> => {
  const [port, sandboxPort] = [String(await freePort()), String(await freePort())]
  const dataDir = join(temporaryFolder(t, {}), 'data')
  const read = readConfig({ PORT: port, SANDBOX_PORT: sandboxPort, DATA_DIR: dataDir, ...more })
  return read.ok ? read.config : assert.fail(read.problem)
}

const listen = async (t: TestContext, server: Server, port: number): Promise<void> => {
  await listenDuring(t, server, port)
}

test('if nothing runs, a start may begin, and no folder is made', async (t) => {
  const config = await configOf(t)
  assert.equal(await startProblem(config, 0), null)
  assert.equal(await readServerAddress(config.dataDir), null)
  await writeServerAddress(config.dataDir, 'http://localhost:3000')
  assert.equal(await readServerAddress(config.dataDir), null)
})

test('a second start in the same folder says that Kaikei runs here already, and where, also on another port', async (t) => {
  const config = await configOf(t)
  const database = await openEmbedded(config.dataDir)
  assert.equal(await startProblem(config, 0), null, 'an operator’s command is no server')
  await database.claimServer('alone')
  const second = 'PORT=3100 DATA_DIR=data-2 npm start'
  const before = await startProblem(config, 0)
  assert.match(before ?? '', /^Kaikei runs here already; its data are in \S+\/data\. Stop it with Control-C/)
  await writeServerAddress(config.dataDir, 'http://localhost:3000')
  const line = await startProblem(config, 0)
  assert.ok(
    line?.startsWith(`Kaikei runs here already, at http://localhost:3000, process ${process.pid}; `),
    line ?? '',
  )
  assert.ok(line?.endsWith(second), line ?? '')
  // A worker belongs beside it.
  assert.equal(await startProblem({ ...config, worker: 'only' }, 0), null)
  await database.close()
  // What a killed server has left is no server.
  assert.equal(await startProblem(config, 0), null)
  await removeServerAddress(config.dataDir)
  assert.equal(await readServerAddress(config.dataDir), null)
})

test('a folder in which nothing can be written or removed keeps no server from starting or stopping', async (t) => {
  const folder = temporaryFolder(t, { 'kaikei.address/in-the-way': '', 'kaikei.lock/in-the-way': '' })
  await writeServerAddress(folder, 'http://localhost:3000')
  await removeServerAddress(folder)
  assert.equal(await readServerAddress(folder), null)
  assert.equal(await startProblem({ ...(await configOf(t)), dataDir: folder }, 0), null)
})

test('a port of another program is named with its variable and what to do', async (t) => {
  const config = await configOf(t)
  const { port, sandbox } = config
  if (sandbox === null || sandbox.own === null) assert.fail('there is no sandbox')
  const { own } = sandbox
  await listen(t, createServer(), port)
  assert.equal(
    await startProblem(config, 0),
    `Port ${port} (PORT) is taken by another program; lsof -i :${port} names it. Stop that, or start with another port: PORT=3100 npm start`,
  )
  const free = await configOf(t)
  await listen(t, createServer(), own.port)
  const beside = { ...free, sandbox }
  assert.match(
    (await startProblem(beside, 0)) ?? '',
    new RegExp(`^Port ${own.port} \\(SANDBOX_PORT\\) .* SANDBOX_PORT=3101 npm start$`),
  )
  assert.equal(await startProblem({ ...beside, sandbox: null }, 0), null)
  // Another process has started it, and listens there.
  assert.equal(await startProblem({ ...beside, sandbox: { ...sandbox, own: null } }, 0), null)
  const mailbox = { ...sandbox, own: { port: await freePort() }, mailboxPort: own.port }
  assert.match((await startProblem({ ...free, sandbox: mailbox }, 0)) ?? '', /SANDBOX_PORT \+ 1, of the mailbox,/)
})

test('a start waits for a server that is about to end', async (t) => {
  const config = await configOf(t)
  const server = createServer()
  await listen(t, server, config.port)
  const starting = startProblem(config)
  setImmediate(() => server.close())
  assert.equal(await starting, null)
})
