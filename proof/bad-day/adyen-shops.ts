/** Adyen shops: shops with an account at the double of Adyen, and whoever knows its HMAC key and sends notifications as Adyen. */
import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { createSealing } from '../../server/config/sealed.ts'
import { systemClock } from '../../server/dependencies.ts'
import { saveAccount } from '../../server/store/merchant/acquirer-accounts.ts'
import { CALL_TIMEOUT_MS, send, type ApiAnswer, type ShopClient } from '../harness/shop-client.ts'
import { merchantIdOf, wait, type AttackedServer } from './attacked-server.ts'

/** An item of a notification, as whoever signs it writes it: nothing of it need be what Adyen would write. */
export type Item = Readonly<Record<string, unknown>>

export interface AdyenShop {
  readonly label: string
  readonly merchantId: string
  readonly shop: ShopClient
  /** A signed item: a capture of an order that nobody knows, but for what is given. */
  item(more?: Item): Item
  /** Sends signed items as Adyen does. `from`: the address of the sender. */
  notify(items: readonly Item[], from?: string): Promise<ApiAnswer>
}

const isRecord = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field as it is signed: what is neither text nor a number is empty. */
const fieldText = (field: unknown): string =>
  typeof field === 'string' ? field : typeof field === 'number' || typeof field === 'boolean' ? `${field}` : ''

const signedText = (item: Item): string => {
  const amount = isRecord(item['amount']) ? item['amount'] : {}
  const { pspReference, originalReference, merchantAccountCode, merchantReference, eventCode, success } = item
  const before = [pspReference, originalReference, merchantAccountCode, merchantReference]
  return [...before, amount['value'], amount['currency'], eventCode, success].map(fieldText).join(':')
}

const signed = (item: Item, hmacKey: string): Item => {
  const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signedText(item)).digest('base64')
  const more = isRecord(item['additionalData']) ? item['additionalData'] : {}
  return { ...item, additionalData: { ...more, hmacSignature } }
}

/** As long as a server keeps what it knows of an account. */
const ACCOUNT_KEPT_MS = 1500

const newReference = (): string => randomBytes(8).toString('hex').toUpperCase()

/** With an account each that works from now on: their cards are charged at the double, which notifies the server. */
export const addAdyenShops = async (server: AttackedServer, labels: readonly string[]): Promise<AdyenShop[]> => {
  const secretKeys = (await readFile(join(server.dataDir, 'secret-key'), 'utf8')).trim().split('\n')
  const sealing = createSealing(secretKeys)
  const { port } = server.running()
  const shops: AdyenShop[] = []
  for (const label of labels) {
    const shop = await server.addShop(label)
    const merchantId = await merchantIdOf(server, label)
    const account = {
      merchantAccount: `${label}TEST`,
      apiKey: `key_${newReference()}`,
      hmacKey: randomBytes(32).toString('hex').toUpperCase(),
    }
    const path = `/acquirer/adyen/${label}/test`
    const opened = await fetch(`${server.sandbox.origin}/adyen/control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...account,
        reportKey: `report_${account.apiKey}`,
        webhookUrl: `http://localhost:${port}${path}`,
      }),
    })
    if (opened.status !== 200) throw new Error(`the double of Adyen opened no account: ${opened.status}`)
    await server.sql((each) =>
      saveAccount(each, sealing, {
        merchantId,
        mode: 'test',
        kind: 'adyen',
        apiBase: `${server.sandbox.origin}/adyen`,
        credentials: JSON.stringify({ kind: 'adyen', ...account }),
        threeDSMerchantId: null,
        threeDSToken: null,
        setAt: systemClock.now(),
      }),
    )
    shops.push({
      label,
      merchantId,
      shop,
      item: (more = {}) => {
        const { merchantAccount: merchantAccountCode } = account
        const item = {
          pspReference: newReference(),
          originalReference: newReference(),
          merchantAccountCode,
          merchantReference: 'an order of another system',
          amount: { value: 1980, currency: 'JPY' },
          eventCode: 'CAPTURE',
          success: 'true',
          eventDate: new Date(systemClock.now()).toISOString(),
        }
        return signed({ ...item, ...more }, account.hmacKey)
      },
      notify: (items, from) =>
        send(port, {
          method: 'POST',
          path,
          headers: { host: `localhost:${port}`, ...(from === undefined ? {} : { 'x-forwarded-for': from }) },
          body: { live: 'false', notificationItems: items.map((item) => ({ NotificationRequestItem: item })) },
          timeoutMs: CALL_TIMEOUT_MS,
        }),
    })
  }
  await wait(ACCOUNT_KEPT_MS)
  return shops
}
