/** Webhooks as the configuration has them: secrets, addresses that may be told, and the connection to them. */
import { secretKeyId } from '../config/secret-key-id.ts'
import { webhookRules } from '../config/webhook-rules.ts'
import { createReadWebhookAddress, type ReadWebhookAddress } from './read-address.ts'
import { createSendWebhook, type SendWebhook } from './send-webhook.ts'
import { createWebhookSecret, type WebhookSecret } from './signature.ts'

interface OpenedWebhooks {
  readonly webhookSecret: WebhookSecret
  /** The id of the secret key that new secrets are derived from. */
  readonly webhookKeyId: string
  readonly sendWebhook: SendWebhook
  readonly readWebhookAddress: ReadWebhookAddress
}

/** The current secret key first. */
export const openWebhooks = (
  config: Parameters<typeof webhookRules>[0],
  [secretKey = '', ...earlier]: readonly string[],
): OpenedWebhooks => {
  const rules = webhookRules(config)
  return {
    webhookSecret: createWebhookSecret(secretKey, ...earlier),
    webhookKeyId: secretKeyId(secretKey),
    sendWebhook: createSendWebhook({ rules }),
    readWebhookAddress: createReadWebhookAddress(rules),
  }
}
