import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { CARD_BRANDS } from '#contract/brands.ts'
import { SettingsAnswer, type ChangeSettingsBody } from '#contract/merchant/settings.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'
import { gatewayNotConfigured } from '../../../gateways/not-configured.ts'
import { END, fixture, png, pngHeader, pngPixels } from '../../../pictures/testing/fixtures.ts'
import { insertKey } from '../../../store/merchant/keys.ts'
import { onBothDatabases } from '../../../../proof/harness/databases.ts'
import { statusAndCode } from '../../../../proof/harness/error-answers.ts'
import { API_KEYS, MERCHANT_SETTINGS, TEA_MERCHANT, testKey } from '../../../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../../../proof/harness/test-server.ts'

const SETTINGS_URL = '/merchant/v1/settings'
const KEY = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
const READ_KEY = `sk_test_${'r'.repeat(32)}`

/** Pictures of different content: black ones of different widths. */
const picture = (width: number): Buffer => png(pngHeader(width, 1), pngPixels(1 + 3 * width), END)

describe('the settings of a shop over HTTP', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    before(async () => {
      server = await openTestServer({ gateway: gatewayNotConfigured, database: await open() })
      await insertKey(server.deps.database, testKey(READ_KEY, TEA_MERCHANT.id, { access: 'read' }), 0)
    })

    const read = (key = API_KEYS.tea): Promise<LightMyRequestResponse> =>
      server.app.inject({ url: SETTINGS_URL, headers: { ...KEY, authorization: `Bearer ${key}` } })
    const settings = async (): Promise<SettingsAnswer> => (await read()).json<SettingsAnswer>()
    const etag = async (): Promise<string> => String((await read()).headers['etag'])
    const patch = (payload: object, ifMatch?: string): Promise<LightMyRequestResponse> =>
      server.app.inject({
        method: 'PATCH',
        url: SETTINGS_URL,
        headers: { ...KEY, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        payload,
      })
    const change = async (body: ChangeSettingsBody): Promise<SettingsAnswer> => {
      const answer = await patch(body, await etag())
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json<SettingsAnswer>()
    }
    const upload = (place: string, payload: Buffer): Promise<LightMyRequestResponse> =>
      server.app.inject({ method: 'PUT', url: `${SETTINGS_URL}/${place}`, headers: KEY, payload })
    const remove = (place: string): Promise<LightMyRequestResponse> =>
      server.app.inject({ method: 'DELETE', url: `${SETTINGS_URL}/${place}`, headers: KEY })
    const fieldOf = (answer: LightMyRequestResponse): unknown => {
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'], answer.body)
      return answer.json<{ params: { field: string } }>().params.field
    }

    test('are read whole, by any key, under a strong ETag', async () => {
      const answer = await read(READ_KEY)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['etag']), /^"[\w-]{22}"$/)
      assert.deepEqual(answer.json(), {
        label: 'tea',
        ...MERCHANT_SETTINGS.receipt,
        ...MERCHANT_SETTINGS.setting,
        locale: null,
        acceptedCardBrands: null,
        allowExemption: true,
        requireFullAuthentication: false,
        linkHosts: [],
        registrationNumber: null,
        notifications: { address: null, locale: null, paid: null, refunded: null, needsAttention: null },
        logo: null,
        logoPlate: null,
        cover: null,
      })
      assert.ok(Check(SettingsAnswer, answer.json()))
    })

    test('of merchants that were stored by an earlier release are read and changed', async () => {
      const { setting, receipt, allowExemption } = MERCHANT_SETTINGS
      const { database } = server.deps
      // Then every fact might have 200 characters, and an address was not looked at.
      const facts = { shopUrl: '', shopPhoneNumber: '0'.repeat(200), shopEmail: 'nobody' }
      const earlier = JSON.stringify({ allowExemption, receipt: { ...receipt, ...facts }, setting })
      await database.rows('UPDATE merchants SET settings = $1 WHERE id = $2', earlier, TEA_MERCHANT.id)
      const { locale, acceptedCardBrands, linkHosts, registrationNumber, shopUrl } = await settings()
      assert.deepEqual(
        [locale, acceptedCardBrands, linkHosts, registrationNumber, shopUrl],
        [null, null, [], null, null],
      )
      const changed = await change({ shopUrl: receipt.shopUrl })
      assert.equal(changed.shopUrl, `${receipt.shopUrl}/`)
      assert.deepEqual([changed.shopPhoneNumber, changed.shopEmail], ['0'.repeat(200), 'nobody'])
    })

    test('what is left out stays, null removes, and the answer is what is read next, under its new ETag', async () => {
      const all: Required<ChangeSettingsBody> = {
        shopName: '青山茶舗',
        shopAddress: '東京都港区',
        shopPhoneNumber: '03-1111-1111',
        shopEmail: 'tea@example.com',
        shopUrl: 'https://tea.example.com/',
        colorCode: '#AA0011',
        fontType: 'serif',
        locale: 'th_TH',
        acceptedCardBrands: ['jcb', 'visa'],
        allowExemption: false,
        requireFullAuthentication: true,
        linkHosts: ['shop.example.com'],
        registrationNumber: 'T1234567890123',
        notifications: {
          address: 'orders@example.com',
          locale: 'ko_KR',
          paid: true,
          refunded: false,
          needsAttention: null,
        },
      }
      const earlier = await etag()
      const answer = await patch(all, earlier)
      assert.deepEqual(answer.json(), { label: 'tea', ...all, logo: null, logoPlate: null, cover: null })
      assert.notEqual(answer.headers['etag'], earlier)
      assert.equal(answer.headers['etag'], await etag())
      assert.deepEqual(await settings(), answer.json())
      const removed = {
        shopAddress: null,
        shopPhoneNumber: null,
        shopEmail: null,
        shopUrl: null,
        locale: null,
        acceptedCardBrands: null,
        registrationNumber: null,
      }
      assert.deepEqual(await change(removed), { ...answer.json<SettingsAnswer>(), ...removed })
      for (const [field, value] of Object.entries(all)) {
        const expected = { ...(await settings()), [field]: value }
        assert.deepEqual(await change({ [field]: value }), expected, field)
      }
      assert.deepEqual(await settings(), answer.json())
      assert.equal(await etag(), answer.headers['etag'], 'the same settings have the same ETag')
      assert.deepEqual(await change({}), answer.json())
    })

    test('of the mails to the shop one field is changed, and the others stay', async () => {
      await change({ notifications: { ...DEFAULT_NOTIFICATIONS, address: 'orders@example.com', paid: true } })
      const { notifications } = await change({ notifications: { paid: null, refunded: false } })
      assert.deepEqual(notifications, {
        address: 'orders@example.com',
        locale: null,
        paid: null,
        refunded: false,
        needsAttention: null,
      })
    })

    test('hosts are stored as browsers write them', async () => {
      const { linkHosts } = await change({ linkHosts: ['SHOP.example.com', 'お茶.example', 'shop.example.com'] })
      assert.deepEqual(linkHosts, ['shop.example.com', 'xn--t8jy01w.example'])
    })

    test('a change says what it has read: without If-Match 428, of another state 412, and nothing is changed', async () => {
      const [earlier, current] = [await settings(), await etag()]
      const body = { shopName: 'Never' }
      assert.deepEqual(statusAndCode(await patch(body)), [428, 'if_match_required'])
      for (const stale of ['"stale"', `W/${current}`, `"a", "b"`, '""']) {
        const answer = await patch(body, stale)
        assert.deepEqual(statusAndCode(answer), [412, 'settings_changed'], stale)
        assert.match(answer.json<{ message: string }>().message, /Nothing was changed; read them again\./)
        assert.equal(answer.headers['etag'], undefined)
      }
      for (const broken of [current.slice(1, -1), `${current},`, ''])
        assert.equal(fieldOf(await patch(body, broken)), 'If-Match', broken)
      assert.deepEqual(await settings(), earlier)
      assert.equal(await etag(), current)
    })

    test('the star and a list that names the ETag change them', async () => {
      assert.equal((await patch({ shopName: 'By a star' }, '*')).statusCode, 200)
      assert.equal((await patch({ shopName: 'By a list' }, `"other", ${await etag()}`)).statusCode, 200)
      assert.equal((await settings()).shopName, 'By a list')
    })

    test('a body with one wrong field is refused by its name, and nothing of it is written', async () => {
      const [earlier, current] = [await settings(), await etag()]
      const wrong: readonly [field: string, body: object][] = [
        ['surprise', { surprise: 1 }],
        ['label', { label: 'books' }],
        ['logo', { logo: null }],
        ['shopName', { shopName: null }],
        ['shopName', { shopName: 'x'.repeat(101) }],
        ['shopName', { shopName: ' ' }],
        ['shopAddress', { shopAddress: 'a\nb' }],
        ['shopPhoneNumber', { shopPhoneNumber: '4012 8888 8888 1881' }],
        ['shopEmail', { shopEmail: 'nobody' }],
        ['shopUrl', { shopUrl: 'javascript:alert(1)' }],
        ['colorCode', { colorCode: 'red' }],
        ['fontType', { fontType: 'mono' }],
        ['locale', { locale: 'fr_FR' }],
        ['acceptedCardBrands', { acceptedCardBrands: [] }],
        ['allowExemption', { allowExemption: 'yes' }],
        ['linkHosts.1', { linkHosts: ['a.jp', 'https://a.jp'] }],
        ['registrationNumber', { registrationNumber: 'T1' }],
        ['notifications', { notifications: null }],
        ['notifications.paid', { notifications: { paid: 'yes' } }],
        ['notifications.locale', { notifications: { locale: 'fr_FR' } }],
        ['notifications.sms', { notifications: { sms: true } }],
        ['notifications.address', { notifications: { address: '' } }],
        ['notifications.address', { notifications: { address: `${'a'.repeat(250)}@example.com` } }],
        ['notifications.address', { notifications: { address: 'nobody' } }],
        // A name with it, two addresses, and what a header would break on.
        ['notifications.address', { notifications: { address: 'Shop <shop@example.com>' } }],
        ['notifications.address', { notifications: { address: 'a@example.com,b@example.com' } }],
        ['notifications.address', { notifications: { address: 'a@example.com\r\nBcc: b@example.com' } }],
        ['notifications.address', { notifications: { address: '4012888888881881@example.com' } }],
      ]
      for (const [field, body] of wrong)
        assert.equal(fieldOf(await patch({ fontType: 'sans-serif', ...body }, current)), field)
      assert.deepEqual(await settings(), earlier)
    })

    test('of two changes of the same state at once one is made, and the other is told to read again', async () => {
      for (let round = 0; round < 20; round += 1) {
        const current = await etag()
        const names = [`one ${round}`, `other ${round}`]
        const answers = await Promise.all(names.map((shopName) => patch({ shopName }, current)))
        const statuses = answers.map(({ statusCode }) => statusCode)
        assert.deepEqual([statuses.includes(200), statuses.includes(412)], [true, true])
        assert.equal((await settings()).shopName, names[statuses.indexOf(200)])
      }
    })

    test('a picture has an ETag of its own in them, and is read with its address and size', async () => {
      const earlier = await etag()
      const { url } = (await upload('logo', fixture('canvas.png'))).json<{ url: string }>()
      assert.notEqual(await etag(), earlier)
      assert.deepEqual((await settings()).logo, { url, contentType: 'image/png', width: 16, height: 12 })
      assert.deepEqual(statusAndCode(await patch({ fontType: 'serif' }, earlier)), [412, 'settings_changed'])
      const { logo, logoPlate } = await change({ colorCode: '#123456' })
      assert.deepEqual([logo?.url, logoPlate], [url, 'dark'])
      await upload('cover', fixture('canvas.png'))
      assert.equal((await settings()).cover?.url, url)
      await remove('cover')
      await remove('logo')
      assert.deepEqual([(await settings()).logo, (await settings()).cover], [null, null])
    })

    test('of a picture that nobody uploaded the address alone is read', async () => {
      const stored = { ...MERCHANT_SETTINGS, setting: { ...MERCHANT_SETTINGS.setting, logoUrl: '/demo/logo.png' } }
      const { database } = server.deps
      const [row] = await database.rows('SELECT settings FROM merchants WHERE id = $1', TEA_MERCHANT.id)
      await database.rows('UPDATE merchants SET settings = $1 WHERE id = $2', JSON.stringify(stored), TEA_MERCHANT.id)
      const { logo, logoPlate } = await settings()
      assert.deepEqual([logo, logoPlate], [{ url: 'http://tea.localhost:3000/demo/logo.png' }, 'light'])
      await database.rows(
        'UPDATE merchants SET settings = $1 WHERE id = $2',
        String(row?.['settings']),
        TEA_MERCHANT.id,
      )
    })

    test('a change beside an upload loses neither', async () => {
      for (let round = 1; round <= 20; round += 1) {
        const [changed, uploaded, others] = await Promise.all([
          patch({ shopName: `Round ${round}` }, '*'),
          upload('logo', picture(round)),
          patch({ registrationNumber: `T${String(round).padStart(13, '0')}` }, '*'),
        ])
        assert.deepEqual([changed.statusCode, uploaded.statusCode, others.statusCode], [200, 200, 200])
        const { shopName, logo, registrationNumber } = await settings()
        assert.deepEqual(
          [shopName, logo, registrationNumber],
          [`Round ${round}`, uploaded.json<object>(), `T${String(round).padStart(13, '0')}`],
        )
      }
    })

    const checkout = async (body: object = {}): Promise<MerchantCheckoutAnswer> => {
      const payload = { amount: 1980, ...body }
      const url = '/merchant/v1/checkouts'
      const answer = await server.app.inject({ method: 'POST', url, headers: KEY, payload })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<MerchantCheckoutAnswer>()
    }

    test('a new checkout has their locale and brands where it names none, and one that is there keeps its own', async () => {
      await change({ locale: null, acceptedCardBrands: null })
      const plain = await checkout()
      assert.deepEqual([plain.locale, plain.acceptedCardBrands], [undefined, [...CARD_BRANDS]])
      await change({ locale: 'ko_KR', acceptedCardBrands: ['jcb', 'visa'] })
      const defaulted = await checkout()
      assert.deepEqual([defaulted.locale, defaulted.acceptedCardBrands], ['ko_KR', ['visa', 'jcb']])
      const own = await checkout({ locale: 'ja_JP', acceptedCardBrands: ['amex'] })
      assert.deepEqual([own.locale, own.acceptedCardBrands], ['ja_JP', ['amex']])
      await change({ locale: 'th_TH', acceptedCardBrands: ['diners'] })
      for (const earlier of [plain, defaulted, own]) {
        const url = `/merchant/v1/checkouts/${earlier.id}`
        const now = (await server.app.inject({ url, headers: KEY })).json<MerchantCheckoutAnswer>()
        assert.deepEqual([now.locale, now.acceptedCardBrands], [earlier.locale, earlier.acceptedCardBrands])
      }
    })

    test('a registered host is no matter of test links', async () => {
      await change({ linkHosts: ['shop.example.com'] })
      const { links } = await checkout({ links: { redirectUrl: 'https://elsewhere.example.com/' } })
      assert.equal(links.redirectUrl, 'https://elsewhere.example.com/')
    })

    test('each change is one log line with its request, the key’s hint and the names that changed, and no value', async () => {
      await change({ shopName: 'Before', shopAddress: 'Before', locale: null })
      server.logLines.length = 0
      const changed = await patch({ shopName: 'Geheimnis', shopAddress: 'Before', locale: 'ja_JP' }, '*')
      await patch({ shopName: 'Geheimnis' }, '*')
      await patch({ shopName: 'Verboten' }, '"stale"')
      const uploaded = await upload('cover', picture(50))
      await upload('cover', picture(50))
      const removed = await remove('cover')
      await remove('cover')
      const lines = server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const told = lines.filter(({ msg }) => msg === 'settings were changed')
      assert.deepEqual(
        told.map(({ request, merchant, key, fields }) => [request, merchant, key, fields]),
        [
          [changed.headers['request-id'], 'tea', 'aaaa', ['shopName', 'locale']],
          [uploaded.headers['request-id'], 'tea', 'aaaa', ['cover']],
          [removed.headers['request-id'], 'tea', 'aaaa', ['cover']],
        ],
      )
      assert.doesNotMatch(server.logLines.join(), /Geheimnis|Verboten|ja_JP/)
    })
  })
})
