import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { TEST_SECRET_KEY } from '../../proof/harness/test-accounts.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { readConfig } from '../config/config.ts'
import { createSealing } from '../config/sealed.ts'
import { findAccount, openSealed } from '../store/merchant/acquirer-accounts.ts'
import { findMerchant } from '../store/merchant/merchants.ts'
import { LIVE_DEMO_LABEL, openLiveDemo } from './live-demo.ts'

describe('the demo shop in live mode', { concurrency: 1 }, () => {
  let folder: string
  let sandbox: SandboxProcess
  let server: TestServer
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-live-demo-'))
    sandbox = await startSandbox()
    server = await openTestServer({ gateway: fakeGateway() })
  })
  after(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (sandboxPort: number, dataDir = folder, deps = server.deps) => {
    const reading = readConfig({ DEMO_LIVE: 'stripe', DATA_DIR: dataDir, SANDBOX_PORT: String(sandboxPort) })
    const config = reading.ok ? reading.config : assert.fail(reading.problem)
    return openLiveDemo(deps, config, {
      sandbox: `http://127.0.0.1:${sandboxPort}`,
      secretKeys: [TEST_SECRET_KEY],
    })
  }
  const opened = async () => {
    const demo = await open(Number(new URL(sandbox.origin).port))
    return 'problem' in demo ? assert.fail(demo.problem) : demo
  }
  const account = async () => {
    const merchant = (await findMerchant(server.deps.database, LIVE_DEMO_LABEL)) ?? assert.fail('no merchant')
    const row = await findAccount(server.deps.database, { merchantId: merchant.id, mode: 'live' })
    return row ?? assert.fail('no account')
  }
  const secretOf = async (): Promise<string> =>
    openSealed(createSealing([TEST_SECRET_KEY]), await account())?.credentials ?? assert.fail('it does not open')

  test('of two servers that start together one sets its account, and the key of each works', async () => {
    const port = Number(new URL(sandbox.origin).port)
    const dataDirs = ['one', 'other'].map((name) => join(folder, name))
    await Promise.all(dataDirs.map((dataDir) => mkdir(dataDir)))
    const now = server.deps.clock.now()
    const deps = { ...server.deps, clock: { ...server.deps.clock, now: () => now } }
    for (const demo of await Promise.all(dataDirs.map((dataDir) => open(port, dataDir, deps))))
      if ('problem' in demo) assert.fail(demo.problem)
      else await server.createCheckout({}, demo.merchantKey)
    // Set a second time it would be a later one.
    assert.equal((await account()).setAt, now)
  })

  test('has a sealed account that passed its check, a live key that works, and an open checkout; the next start keeps key and account', async () => {
    const demo = await opened()
    assert.match(demo.merchantKey, /^sk_live_[0-9a-f]{40}$/)
    const { kind, apiBase, checkedAt, credentials } = await account()
    assert.deepEqual([kind, apiBase, checkedAt === null], ['stripe', `${sandbox.origin}/stripe`, false])
    const secret = await secretOf()
    assert.match(secret, /"secretKey":"sk_live_[0-9a-f]{40}"/)
    assert.doesNotMatch(credentials, /sk_live_/)
    await server.createCheckout({}, demo.merchantKey)
    const again = await opened()
    assert.deepEqual([again.merchantKey, await secretOf()], [demo.merchantKey, secret])
    assert.notEqual(again.checkoutId, demo.checkoutId)
  })

  test('follows its sandbox to another port with the same key, and says what is wrong where nobody listens there', async () => {
    const before = await secretOf()
    const port = await freePort()
    const failed = await open(port)
    assert.match('problem' in failed ? failed.problem : '', /DEMO_LIVE.*Is the sandbox running\?.*acquirer check/)
    assert.deepEqual(
      [(await account()).apiBase, (await account()).checkedAt],
      [`http://127.0.0.1:${port}/stripe`, null],
    )
    assert.equal(await secretOf(), before)
  })
})
