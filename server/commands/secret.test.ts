import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { OPEN_SERVER_DATABASE } from '../../proof/harness/server-databases.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { WEBHOOK_PARTS } from '../../proof/harness/webhook-parts.ts'
import { saveCheckedAccount } from '../../proof/harness/test-accounts.ts'
import { secretKeyId as idOfKey } from '../config/secret-key-id.ts'
import { newSecretKey, readSecretKeys, SECRET_KEY_FILE, writeSecretKeys } from '../config/secret-key.ts'
import { createSealing } from '../config/sealed.ts'
import {
  findAccount,
  openSealed,
  saveAccount,
  saveCheck,
  sealAccountsAnew,
} from '../store/merchant/acquirer-accounts.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import type { Database } from '../store/engine/database.ts'
import { type WebhookEndpoint, endpointsOf } from '../store/merchant/webhook-endpoints.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { createWebhookSecret } from '../webhooks/signature.ts'

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`the secret key, on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let dataDir: string
    let env: Record<string, string>
    let database: Database
    let close: () => Promise<void>
    let client: MerchantClient
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-secret-'))
      ;({ database, env, close } = await openPlace(folder))
      dataDir = env['DATA_DIR'] ?? ''
      client = await openMerchantClient(database)
    })
    after(async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    })

    const keysAtHand = async (): Promise<readonly string[]> => {
      const reading = await readSecretKeys({ secretKey: null, earlierSecretKeys: [], dataDir })
      if ('problem' in reading) assert.fail(reading.problem)
      return reading.keys
    }
    const endpoint = async (): Promise<WebhookEndpoint> => {
      const [found] = await endpointsOf(database, { merchantId: TEA_MERCHANT.id, mode: 'test' })
      if (found === undefined) assert.fail('there is no endpoint')
      return found
    }
    /** As the server derives it after a start with the keys at hand. */
    const secretNow = async (): Promise<string> => {
      const [current = '', ...earlier] = await keysAtHand()
      const { id, generation, secretKeyId } = await endpoint()
      return createWebhookSecret(current, ...earlier)(id, generation, secretKeyId)
    }

    test('is rotated at the next start, and a secret that a merchant knows stays as it is until it is rolled', async () => {
      const first = newSecretKey()
      await writeSecretKeys(dataDir, [first])
      assert.equal(await adoptSecretKeys(database, [first]), true)
      const url = 'https://shop.example.com/hook'
      const created = await client.send('/webhooks', { method: 'POST', payload: { url } })
      assert.equal(created.statusCode, 201, created.body)
      assert.ok(created.json<{ secret: string }>().secret.startsWith('whsec_'))
      assert.equal((await endpoint()).secretKeyId, WEBHOOK_PARTS.webhookKeyId, 'any server can tell its key')
      // As releases without migration 0027 stored it; the server of this test has a key of its own.
      await database.rows('UPDATE webhook_endpoints SET secret_key_id = NULL')
      const known = await secretNow()

      const rotated = await runCommand(['secret', 'rotate'], env)
      assert.deepEqual([rotated.code, rotated.errors], [0, []])
      const keys = await keysAtHand()
      assert.deepEqual([keys.length, keys[1]], [2, first])
      assert.equal([...rotated.printed].join().includes(keys[0] ?? ''), false)

      const again = await runCommand(['secret', 'rotate'], env)
      assert.deepEqual(
        [again.code, again.errors],
        [2, ['The server has not used the new secret key yet: start it again first.']],
      )
      assert.equal(await adoptSecretKeys(database, keys), true)
      assert.equal(await secretNow(), known)

      const kept = await runCommand(['secret', 'retire', '--unless', 'used'], env)
      assert.deepEqual([kept.code, kept.printed.at(-1)], [1, '  tea: 1 endpoint'])
      assert.deepEqual(await keysAtHand(), keys)

      const { id } = await endpoint()
      assert.equal((await client.send(`/webhooks/${id}/roll`, { method: 'POST' })).statusCode, 200)
      const { secretKeyId, previousKeyId, generation } = await endpoint()
      assert.deepEqual([secretKeyId, generation], [WEBHOOK_PARTS.webhookKeyId, 2])
      const [current = '', ...earlier] = keys
      const secretOf = createWebhookSecret(current, ...earlier)
      assert.equal(secretOf(id, 1, previousKeyId), known)
      assert.equal(secretOf(id, 2, secretKeyId), createWebhookSecret(current)(id, 2))

      assert.equal((await client.send(`/webhooks/${id}/roll`, { method: 'POST' })).statusCode, 200)
      assert.equal((await endpoint()).previousKeyId, previousKeyId, 'the first secret signs on for a day')
      await database.rows('UPDATE webhook_endpoints SET secret_key_id = $1', idOfKey(current))
      // For a day the merchant may still verify with the secret before.
      await database.rows('UPDATE webhook_endpoints SET previous_until = $1', Date.now() + 60_000)
      assert.equal((await runCommand(['secret', 'retire', '--unless', 'used'], env)).code, 1)
      assert.deepEqual(await keysAtHand(), keys)
      await database.rows('UPDATE webhook_endpoints SET previous_until = $1', Date.now() - 1)
      const retired = await runCommand(['secret', 'retire', '--unless', 'used'], env)
      assert.deepEqual([retired.code, await keysAtHand()], [0, [current]])
    })

    test('that is kept in the environment is not changed by a command, which says what to set', async () => {
      for (const command of ['rotate', 'retire']) {
        const { code, errors } = await runCommand(['secret', command], {
          ...env,
          SECRET_KEY: '0123456789abcdef'.repeat(2),
        })
        assert.equal(code, 2)
        assert.match(errors.join(), /^SECRET_KEY is set in the environment.*SECRET_KEY_PREVIOUS/)
      }
    })

    test('that is lost can be gone on without: the next key is taken, and every secret is another', async () => {
      const before = await secretNow()
      const { code } = await runCommand(['secret', 'reset'], env)
      assert.equal(code, 0)
      await rm(join(dataDir, SECRET_KEY_FILE))
      const other = newSecretKey()
      await writeSecretKeys(dataDir, [other])
      assert.equal(await adoptSecretKeys(database, [other]), true)
      assert.notEqual(await secretNow(), before)
      assert.equal((await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8')).trim(), other)
    })

    test('that seals accounts at acquirers is rotated by the next start, which seals them anew; what is left stands in the way of a retirement', async () => {
      const [first = ''] = await keysAtHand()
      assert.equal(await adoptSecretKeys(database, [first]), true)
      await database.rows('DELETE FROM webhook_endpoints')
      const ref = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
      const [sealing, credentials] = [createSealing([first]), 'canary']
      const account = { ...ref, kind: 'stripe', apiBase: null, credentials, threeDSMerchantId: null, setAt: 1 } as const
      await saveAccount(database, sealing, { ...account, threeDSToken: 'token-canary' })
      const stored = async () => (await findAccount(database, ref)) ?? assert.fail()
      await saveCheck(database, await stored(), { checkedAt: 2 })

      assert.equal((await runCommand(['secret', 'rotate'], env)).code, 0)
      const keys = await keysAtHand()
      assert.equal(
        openSealed(createSealing(keys), await stored())?.credentials,
        credentials,
        'the earlier key opens it',
      )
      // As the start of a server does that ends before it has sealed anything.
      assert.equal(await adoptSecretKeys(database, keys), true)
      const kept = await runCommand(['secret', 'retire', '--unless', 'used'], env)
      assert.equal(kept.code, 1)
      const again = 'acquirer set --merchant tea --mode live --kind stripe --secret-file FILE'
      assert.deepEqual(kept.printed.slice(0, 2), [
        'Nothing was changed.',
        'Acquirer accounts that are sealed with an earlier key; set them again:',
      ])
      const line = kept.printed[2] ?? ''
      assert.ok(line.startsWith('  tea: ') && line.endsWith(again), line)
      assert.deepEqual(await keysAtHand(), keys)

      await sealAccountsAnew(database, createSealing(keys))
      const retired = await runCommand(['secret', 'retire', '--unless', 'used', '--json'], env)
      assert.deepEqual(
        [retired.code, (JSON.parse(retired.printed[0] ?? '') as { accounts: unknown }).accounts],
        [0, []],
      )
      const [current = ''] = await keysAtHand()
      assert.equal(openSealed(createSealing([current]), await stored())?.threeDSToken, 'token-canary')
      assert.equal((await stored()).checkedAt, 2, 'its live keys go on')

      // What was sealed with an earlier key, and left, is lost by a retirement that is not told to wait.
      await saveAccount(database, sealing, { ...account, threeDSToken: null })
      await writeSecretKeys(dataDir, [current, first])
      const lost = await runCommand(['secret', 'retire'], env)
      assert.equal(lost.code, 0)
      assert.match(
        lost.printed.join('\n'),
        /these acquirer accounts cannot be opened; set them again:\n {2}tea: .*acquirer set/,
      )
      assert.equal(openSealed(createSealing(await keysAtHand()), await stored()), null)
      assert.doesNotMatch([...kept.printed, ...retired.printed, ...lost.printed].join(), /canary/)
    })

    test('that is lost takes the accounts at acquirers with it: the reset names them, and their live keys end', async () => {
      const ref = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
      const [current = ''] = await keysAtHand()
      await saveCheckedAccount(database, ref)
      const { code, printed } = await runCommand(['secret', 'reset'], env)
      assert.equal(code, 0)
      assert.match(printed.join('\n'), /acquirer accounts are lost.*set again and checked:\n {2}tea: .* --kind stripe/)
      assert.equal((await findAccount(database, ref))?.checkedAt, null)
      assert.equal(await adoptSecretKeys(database, [current]), true)
    })
  })
