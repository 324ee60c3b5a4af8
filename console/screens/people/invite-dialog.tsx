/** Invite dialog: invites a person by mail, or shows the link where no mail is sent. */
import { useState } from 'react'
import { EMAIL_MAX_LENGTH } from '#contract/console/fields.ts'
import { CONSOLE_LOCALES, type ConsoleLocale } from '#contract/console/locale.ts'
import { invitePerson } from '#contract/console/people.ts'
import { ROLES, type Role } from '#contract/console/roles.ts'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { ShownOnceDialog } from '../../forms/shown-once-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Explanation } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { peopleWords } from './words.ts'

interface InviteDialogProps {
  onInvited(): Promise<unknown>
  onClose(): void
}

const InviteForm = ({ onInvited }: { onInvited(link: string | undefined): Promise<void> }) => {
  const [words, shared] = [useWords(peopleWords), useWords(sharedWords)]
  const { locale: own } = useLanguage()
  const send = useSend()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('staff')
  const [locale, setLocale] = useState<ConsoleLocale>(own)
  const [wasSent, setSent] = useState(false)
  const isWrong = !email.includes('@')
  const inviting = useAction(
    () => send(invitePerson, { body: { email: email.trim(), role, locale } }),
    ({ link }) => onInvited(link),
  )
  return (
    <Form
      onSubmit={() => {
        setSent(true)
        if (!isWrong) inviting.run()
      }}
      failure={inviting.failure}
      actions={<SubmitButtons label={words.invite} isRunning={inviting.isRunning} />}
    >
      <Explanation>{words.inviteText}</Explanation>
      <TextField
        label={words.email}
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
        maxLength={EMAIL_MAX_LENGTH}
        problem={wasSent && isWrong ? words.emailProblem : undefined}
      />
      <SelectField<Role>
        label={words.role}
        value={role}
        onChange={setRole}
        choices={ROLES.map((value) => ({ value, label: shared.roles[value], detail: words.roleDetails[value] }))}
      />
      <SelectField<ConsoleLocale>
        label={words.mailLanguage}
        value={locale}
        onChange={setLocale}
        choices={CONSOLE_LOCALES.map((value) => ({ value, label: shared.languages[value] }))}
      />
    </Form>
  )
}

export const InviteDialog = ({ onInvited, onClose }: InviteDialogProps) => {
  const words = useWords(peopleWords)
  const toast = useToast()
  const [link, setLink] = useState<string | null>(null)
  return (
    <ShownOnceDialog
      title={words.invite}
      shown={link === null ? null : { name: words.link, text: link, warning: words.linkShownOnce }}
      onClose={onClose}
    >
      <InviteForm
        onInvited={async (made) => {
          if (made === undefined) {
            onClose()
            toast(words.invited)
          } else setLink(made)
          await onInvited()
        }}
      />
    </ShownOnceDialog>
  )
}
