/** Facts of a webhook in words: whether it is enabled, what it is sent, and why it is not. */
import type { WebhookAnswer } from '#contract/merchant/webhooks.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import { webhookWords } from './webhook-words.ts'

interface WebhookFacts {
  readonly state: string
  readonly kind: 'good' | 'warning' | 'bad'
  readonly events: string
  readonly warning: string | undefined
}

export const useWebhookFacts = ({ enabled, types, disabledBecause, failingSince }: WebhookAnswer): WebhookFacts => {
  const words = useWords(webhookWords)
  const { time } = useFormats()
  const failing = failingSince === undefined ? undefined : words.failingSince(time(failingSince))
  return {
    state: enabled ? words.enabled : words.disabled,
    kind: !enabled ? 'bad' : failing === undefined ? 'good' : 'warning',
    events: types === undefined ? words.allEvents : words.chosenEvents(types.length),
    warning: disabledBecause === undefined ? failing : words.disabledBecause[disabledBecause],
  }
}
