/** Form of a new API key. When it is made, the key is shown once. */
import { useState } from 'react'
import { KEY_ACCESSES, type KeyAccess } from '#contract/access.ts'
import { createKey, KEY_NAME_MAX_LENGTH } from '#contract/console/keys.ts'
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { DayField } from '../../forms/day-field.tsx'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useShop } from '../../session/session.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { developerWords } from './words.ts'

const LAST_YEARS = 10

export const KeyForm = ({ onMade }: { onMade(key: string): void | Promise<void> }) => {
  const words = useWords(developerWords)
  const { mode } = useShop()
  const send = useSend()
  const [name, setName] = useState('')
  const [access, setAccess] = useState<KeyAccess>('sales')
  /** Null: it does not end. */
  const [expires, setExpires] = useState<string | null>(null)
  const [wasSent, setSent] = useState(false)
  const [now] = useState(() => Date.now())
  const [first, last] = [jstDate(now + DAY_MS), jstDate(now + LAST_YEARS * 365 * DAY_MS)]
  const isWrong = expires !== null && (expires < first || expires > last)
  const making = useAction(
    () =>
      send(createKey, {
        body: {
          mode,
          access,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(expires === null ? {} : { expiresAt: expires }),
        },
      }),
    ({ key }) => onMade(key),
  )
  return (
    <Form
      onSubmit={() => {
        setSent(true)
        if (!isWrong) making.run()
      }}
      failure={making.failure}
      actions={<SubmitButtons label={words.newKey} isRunning={making.isRunning} />}
    >
      <TextField
        label={words.keyName}
        hint={words.keyNameHint}
        value={name}
        onChange={setName}
        maxLength={KEY_NAME_MAX_LENGTH}
      />
      <SelectField<KeyAccess>
        label={words.access}
        value={access}
        onChange={setAccess}
        choices={KEY_ACCESSES.map((value) => ({
          value,
          label: words.accesses[value],
          detail: words.accessDetails[value],
        }))}
      />
      <DayField
        label={words.expires}
        hint={words.expiresHint}
        value={expires}
        onChange={setExpires}
        first={first}
        last={last}
        problem={wasSent && isWrong ? words.expiresProblem : undefined}
      />
    </Form>
  )
}
