/** Fields of the look screen: every setting of the shop, in groups. */
import { foldFullWidth } from '#contract/card.ts'
import { FONT_TYPES } from '#contract/checkout.ts'
import { PICTURE_PLACES } from '#contract/merchant/pictures.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { ReadTextField } from '../../forms/text-field.tsx'
import { Card } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import { useFailureText } from '../../words/use-failure-text.ts'
import { CardFields } from './card-fields.tsx'
import { ColourField } from './colour-field.tsx'
import { withPicture } from './draft.ts'
import { FactField } from './fact-field.tsx'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'
import { localeChoices, localeOf, NO_LOCALE, NotificationFields } from './notification-fields.tsx'
import { PictureField } from './picture-field.tsx'
import type { EditedDraft } from './use-draft.ts'

const HOSTS_PATTERN = /[\s,、]+/

const LinkHostsField = ({ values, set, problemOf, isReadOnly }: FieldSet) => {
  const words = useWords(fieldWords)
  return (
    <ReadTextField
      label={words.fields.linkHosts}
      hint={words.hints.linkHosts ?? ''}
      isMultiline
      value={values.linkHosts.join('\n')}
      onChange={(text) =>
        set(
          'linkHosts',
          text.split(HOSTS_PATTERN).filter((host) => host !== ''),
        )
      }
      problem={problemOf('linkHosts')}
      isDisabled={isReadOnly}
    />
  )
}

const Pictures = ({ edited, isReadOnly }: { readonly edited: EditedDraft; readonly isReadOnly: boolean }) => {
  const { draft, change, refused } = edited
  const failureText = useFailureText()
  return PICTURE_PLACES.map((place) => (
    <PictureField
      key={place}
      place={place}
      saved={draft.base.settings[place]}
      change={draft.pictures[place]}
      isReadOnly={isReadOnly}
      refusal={refused?.part === place ? failureText(refused.failure) : undefined}
      onChange={(picture) => change((now) => withPicture(now, place, picture))}
    />
  ))
}

interface LookFieldsProps {
  readonly edited: EditedDraft
  readonly fields: FieldSet
}

export const LookFields = ({ edited, fields }: LookFieldsProps) => {
  const words = useWords(fieldWords)
  const { values, set, isReadOnly } = fields
  return (
    <>
      <Card title={words.groups.look}>
        <ColourField {...fields} />
        <SelectField
          label={words.fields.fontType}
          value={values.fontType}
          choices={FONT_TYPES.map((value) => ({ value, label: words.fonts[value] }))}
          onChange={(value) => set('fontType', value)}
          isDisabled={isReadOnly}
        />
        <Pictures edited={edited} isReadOnly={isReadOnly} />
      </Card>
      <Card title={words.groups.shop}>
        <FactField fields={fields} name="shopName" autoComplete="organization" />
        <FactField fields={fields} name="shopAddress" autoComplete="street-address" />
        <FactField fields={fields} name="shopPhoneNumber" autoComplete="tel" />
        <FactField fields={fields} name="shopEmail" type="email" autoComplete="email" />
        <FactField fields={fields} name="shopUrl" type="url" placeholder="https://" autoComplete="url" />
      </Card>
      <Card title={words.groups.cards}>
        <CardFields {...fields} />
      </Card>
      <Card title={words.groups.language}>
        <SelectField
          label={words.fields.locale}
          value={values.locale ?? NO_LOCALE}
          choices={localeChoices(words.browserLanguage)}
          onChange={(choice) => set('locale', localeOf(choice))}
          isDisabled={isReadOnly}
        />
      </Card>
      <Card title={words.groups.invoice}>
        <FactField
          fields={fields}
          name="registrationNumber"
          placeholder="T1234567890123"
          format={(text) => foldFullWidth(text).trim().toUpperCase()}
        />
      </Card>
      <Card title={words.groups.notifications}>
        <NotificationFields {...fields} />
      </Card>
      <Card title={words.groups.links}>
        <LinkHostsField {...fields} />
      </Card>
    </>
  )
}
