/** Webhook form: its address and the events that are sent there, of a new one or of one that is changed. */
import { useState } from 'react'
import type { CheckoutEventType } from '#contract/merchant/events.ts'
import { URL_MAX_LENGTH } from '#contract/text-limits.ts'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { CallResult } from '../../session/api.ts'
import { useAction } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { EventTypesField } from './event-types-field.tsx'
import { webhookWords } from './webhook-words.ts'

export interface EnteredWebhook {
  readonly url: string
  /** Null: all of them. */
  readonly types: CheckoutEventType[] | null
}

interface WebhookFormProps<T> {
  readonly initial: EnteredWebhook
  readonly action: string
  act(entered: EnteredWebhook): Promise<CallResult<T>>
  onDone(value: T): void | Promise<void>
}

/** In development the server also takes http to this machine; what it does not take, it says. */
const isAddress = (text: string): boolean => /^https?:\/\/./.test(text)

export const WebhookForm = <T,>({ initial, action, act, onDone }: WebhookFormProps<T>) => {
  const words = useWords(webhookWords)
  const [url, setUrl] = useState(initial.url)
  const [types, setTypes] = useState<readonly CheckoutEventType[] | null>(initial.types)
  const [wasSent, setSent] = useState(false)
  const sending = useAction(() => act({ url: url.trim(), types: types === null ? null : [...types] }), onDone)
  const isWrong = !isAddress(url.trim())
  return (
    <Form
      onSubmit={() => {
        setSent(true)
        if (!isWrong && types?.length !== 0) sending.run()
      }}
      failure={sending.failure}
      actions={<SubmitButtons label={action} isRunning={sending.isRunning} />}
    >
      <TextField
        label={words.url}
        type="url"
        inputMode="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
        maxLength={URL_MAX_LENGTH}
        problem={wasSent && isWrong ? words.urlProblem : undefined}
      />
      <EventTypesField value={types} onChange={setTypes} />
    </Form>
  )
}
