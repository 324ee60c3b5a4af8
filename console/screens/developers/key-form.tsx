/** Form of a new API key. When it is made, the key is shown once. */
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { KEY_ACCESSES, type KeyAccess } from '#contract/access.ts'
import { createKey, KEY_NAME_MAX_LENGTH } from '#contract/console/keys.ts'
import { jstDate } from '#contract/jst.ts'
import { Form } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useShop } from '../../session/session.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { developerWords } from './words.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Empty: it does not end. */
const isExpiry = (text: string): boolean => text === '' || (DAY.test(text) && text >= jstDate(Date.now()))

export const KeyForm = ({ onMade }: { onMade(key: string): void | Promise<void> }) => {
  const words = useWords(developerWords)
  const { mode } = useShop()
  const send = useSend()
  const [name, setName] = useState('')
  const [access, setAccess] = useState<KeyAccess>('sales')
  const [expires, setExpires] = useState('')
  const [wasSent, setSent] = useState(false)
  const isWrong = !isExpiry(expires.trim())
  const making = useAction(
    () =>
      send(createKey, {
        body: {
          mode,
          access,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(expires.trim() === '' ? {} : { expiresAt: expires.trim() }),
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
      actions={
        <Button kind="primary" type="submit" busy={making.isRunning} disabled={making.isRunning}>
          {words.newKey}
        </Button>
      }
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
      <TextField
        label={words.expires}
        hint={words.expiresHint}
        value={expires}
        onChange={setExpires}
        inputMode="numeric"
        maxLength={10}
        problem={wasSent && isWrong ? words.expiresProblem : undefined}
      />
    </Form>
  )
}
