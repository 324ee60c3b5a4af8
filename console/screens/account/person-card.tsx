/** Card of the person: name and language. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { CONSOLE_LOCALES, type ConsoleLocale } from '#contract/console/locale.ts'
import { PERSON_NAME_MAX_LENGTH } from '#contract/console/fields.ts'
import { changePerson } from '#contract/console/person.ts'
import { Form } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useRefreshSession, useSession } from '../../session/session.tsx'
import { useAction, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { accountWords } from './words.ts'

export const PersonCard = () => {
  const { person } = useSession()
  const [words, shared] = [useWords(accountWords), useWords(sharedWords)]
  const [send, refresh, toast] = [usePersonSend(), useRefreshSession(), useToast()]
  const [name, setName] = useState(person.name)
  const [locale, setLocale] = useState(person.locale)
  const saving = useAction(
    () => send(changePerson, { body: { name: name.trim(), locale } }),
    async () => {
      await refresh()
      toast(shared.saved)
    },
  )
  const isWrong = name.trim() === ''
  return (
    <Card title={words.person}>
      <Explanation>
        {words.email}: {person.email}
      </Explanation>
      <Form
        onSubmit={() => {
          if (!isWrong) saving.run()
        }}
        failure={saving.failure}
        actions={
          <Button kind="primary" type="submit" busy={saving.isRunning} disabled={saving.isRunning}>
            {shared.save}
          </Button>
        }
      >
        <TextField
          label={words.name}
          value={name}
          onChange={setName}
          autoComplete="name"
          maxLength={PERSON_NAME_MAX_LENGTH}
          problem={isWrong ? words.nameProblem : undefined}
        />
        <SelectField<ConsoleLocale>
          label={words.language}
          value={locale}
          onChange={setLocale}
          choices={CONSOLE_LOCALES.map((value) => ({ value, label: shared.languages[value] }))}
        />
      </Form>
    </Card>
  )
}
