/** Form that enrols a passkey: its name, and the browser's own dialog. */
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { PASSKEY_NAME_MAX_LENGTH } from '#contract/console/fields.ts'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { Notice } from '../../forms/notice.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useApi } from '../../session/api-context.tsx'
import { enrolPasskey } from '../../session/passkeys.ts'
import { useAction } from '../../session/use-calls.ts'
import { useWords } from '../../words/language.tsx'
import { enrolWords } from './words.ts'

export const EnrolForm = ({ onEnrolled }: { onEnrolled(): void | Promise<void> }) => {
  const words = useWords(enrolWords)
  const api = useApi()
  const [name, setName] = useState(words.defaultName)
  const enrolling = useAction(() => enrolPasskey(api, name.trim()), onEnrolled)
  const isWrong = name.trim() === ''
  const isCancelled = enrolling.failure?.code === 'passkey_needed'
  if (!browserSupportsWebAuthn()) return <Notice kind="warning">{words.noPasskeys}</Notice>
  return (
    <Form
      onSubmit={() => {
        if (!isWrong) enrolling.run()
      }}
      failure={isCancelled ? null : enrolling.failure}
      actions={<SubmitButtons label={words.create} isRunning={enrolling.isRunning} />}
    >
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        maxLength={PASSKEY_NAME_MAX_LENGTH}
        hint={words.nameHint}
        problem={isWrong ? words.nameProblem : undefined}
      />
      {isCancelled ? <Notice kind="error">{words.cancelled}</Notice> : null}
    </Form>
  )
}
