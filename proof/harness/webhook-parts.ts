/** Webhook parts, and challenges of passkeys: a fixed key, endpoints that take everything, and no connection to anywhere. */
import { isLoopback } from '#contract/loopback.ts'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { createReadWebhookAddress } from '../../server/webhooks/read-address.ts'
import { createSealing } from '../../server/config/sealed.ts'
import { secretKeyId } from '../../server/config/secret-key-id.ts'
import { createChallengeMacs } from '../../server/operations/people/challenge-macs.ts'
import { createMailedToken } from '../../server/operations/people/mailed-token.ts'
import { createWebhookSecret } from '../../server/webhooks/signature.ts'

const DELIVERED: WebhookAnswer = { outcome: 'answered', status: 200, retryAfter: null, body: 'ok' }

/** Names of this machine lead to it, all others to one public address: no test asks a real resolver. */
const resolve = async (hostname: string) => [
  { address: isLoopback(hostname) ? '127.0.0.1' : '93.184.215.14', family: 4 },
]

export const WEBHOOK_PARTS: Pick<
  Dependencies,
  'challengeMacs' | 'mailedToken' | 'sealing' | 'webhookSecret' | 'webhookKeyId' | 'sendWebhook' | 'readWebhookAddress'
> = {
  challengeMacs: createChallengeMacs(['0'.repeat(64)]),
  mailedToken: createMailedToken('0'.repeat(64)),
  sealing: createSealing(['0'.repeat(64)]),
  webhookSecret: createWebhookSecret('0'.repeat(64)),
  webhookKeyId: secretKeyId('0'.repeat(64)),
  sendWebhook: async () => DELIVERED,
  readWebhookAddress: createReadWebhookAddress(
    { isLoopbackAllowed: true, ownPorts: [3000, 3001], ownAddresses: [], denied: [] },
    resolve,
  ),
}
