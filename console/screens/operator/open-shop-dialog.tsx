/** Open-shop dialog: a new shop and the invitation of its first owner. */
import { useState } from 'react'
import { EMAIL_MAX_LENGTH } from '#contract/console/fields.ts'
import { CONSOLE_LOCALES, type ConsoleLocale } from '#contract/console/locale.ts'
import { openShop } from '#contract/console/operator.ts'
import { SHOP_NAME_MAX_LENGTH } from '#contract/text-limits.ts'
import { Form, SubmitButtons } from '../../forms/form.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { ShownOnceDialog } from '../../forms/shown-once-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useAction, usePersonSend } from '../../session/use-calls.ts'
import { useToast } from '../../shell/toast.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { operatorWords } from './words.ts'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const LABEL_MAX = 63

const NOTHING = { label: '', shopName: '', shopEmail: '', ownerEmail: '' }
type Entered = typeof NOTHING

const ShopForm = ({ onOpened }: { onOpened(link: string | undefined): Promise<void> }) => {
  const [words, shared] = [useWords(operatorWords), useWords(sharedWords)]
  const { locale: own } = useLanguage()
  const send = usePersonSend()
  const [entered, setEntered] = useState<Entered>(NOTHING)
  const [locale, setLocale] = useState<ConsoleLocale>(own)
  const [wasSent, setSent] = useState(false)
  const change = (field: keyof Entered) => (value: string) => setEntered((before) => ({ ...before, [field]: value }))
  const [label, shopName, shopEmail, ownerEmail] = [
    entered.label.trim(),
    entered.shopName.trim(),
    entered.shopEmail.trim(),
    entered.ownerEmail.trim(),
  ]
  const problems = {
    label: LABEL.test(label) ? undefined : words.labelProblem,
    shopName: shopName === '' ? words.shopNameProblem : undefined,
    shopEmail: shopEmail === '' || shopEmail.includes('@') ? undefined : words.emailProblem,
    ownerEmail: ownerEmail.includes('@') ? undefined : words.emailProblem,
  }
  const isWrong = Object.values(problems).some((problem) => problem !== undefined)
  const problemOf = (field: keyof Entered): string | undefined => (wasSent ? problems[field] : undefined)
  const opening = useAction(
    () =>
      send(openShop, {
        body: {
          label,
          shopName,
          ...(shopEmail === '' ? {} : { shopEmail }),
          owner: { email: ownerEmail, locale },
        },
      }),
    ({ link }) => onOpened(link),
  )
  return (
    <Form
      onSubmit={() => {
        setSent(true)
        if (!isWrong) opening.run()
      }}
      failure={opening.failure}
      actions={<SubmitButtons label={words.openShop} isRunning={opening.isRunning} />}
    >
      <TextField
        label={words.shopName}
        value={entered.shopName}
        onChange={change('shopName')}
        maxLength={SHOP_NAME_MAX_LENGTH}
        problem={problemOf('shopName')}
      />
      <TextField
        label={words.label}
        hint={words.labelHint(window.location.host.replace(/^console\./, ''))}
        value={entered.label}
        onChange={change('label')}
        autoComplete="off"
        maxLength={LABEL_MAX}
        problem={problemOf('label')}
      />
      <TextField
        label={words.shopEmail}
        hint={words.shopEmailHint}
        type="email"
        value={entered.shopEmail}
        onChange={change('shopEmail')}
        autoComplete="off"
        maxLength={EMAIL_MAX_LENGTH}
        problem={problemOf('shopEmail')}
      />
      <TextField
        label={words.ownerEmail}
        hint={words.ownerHint}
        type="email"
        value={entered.ownerEmail}
        onChange={change('ownerEmail')}
        autoComplete="off"
        maxLength={EMAIL_MAX_LENGTH}
        problem={problemOf('ownerEmail')}
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

interface OpenShopDialogProps {
  onOpened(): Promise<unknown>
  onClose(): void
}

export const OpenShopDialog = ({ onOpened, onClose }: OpenShopDialogProps) => {
  const words = useWords(operatorWords)
  const toast = useToast()
  const [link, setLink] = useState<string | null>(null)
  return (
    <ShownOnceDialog
      title={words.openShop}
      shown={link === null ? null : { name: words.link, text: link, warning: words.linkShownOnce }}
      onClose={onClose}
    >
      <ShopForm
        onOpened={async (made) => {
          toast(words.shopOpened)
          if (made === undefined) onClose()
          else setLink(made)
          await onOpened()
        }}
      />
    </ShownOnceDialog>
  )
}
