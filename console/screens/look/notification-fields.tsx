/** Notification fields: of what the shop is told by mail, where, and in which language. */
import { isWireLocale, toPageLocale, localeLabel, WIRE_LOCALES, type WireLocale } from '#contract/locale.ts'
import { NOTIFICATION_TOPICS, type Notifications } from '#contract/notification-settings.ts'
import { SelectField, type Choice } from '../../forms/select-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { Explanation } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import type { FieldSet } from './field-set.ts'
import { fieldWords } from './field-words.ts'

export const NO_LOCALE = 'none'

/** Every language of the pages, by its own name; `none` says what happens without one. */
export const localeChoices = (none: string): Choice<WireLocale | typeof NO_LOCALE>[] => [
  { value: NO_LOCALE, label: none },
  ...WIRE_LOCALES.map((value) => {
    const locale = toPageLocale(value)
    return { value, label: locale === undefined ? value : localeLabel(locale) }
  }),
]
export const localeOf = (choice: string): WireLocale | null => (isWireLocale(choice) ? choice : null)

const TOPIC_VALUES = { default: null, on: true, off: false } as const
type TopicChoice = keyof typeof TOPIC_VALUES

const choiceOf = (value: boolean | null): TopicChoice => {
  if (value === null) return 'default'
  return value ? 'on' : 'off'
}

export const NotificationFields = ({ values, set, problemOf, isReadOnly }: FieldSet) => {
  const words = useWords(fieldWords)
  const { notifications } = values
  const change = (more: Partial<Notifications>): void => set('notifications', { ...notifications, ...more })
  const choices = (['default', 'on', 'off'] as const).map((value) => ({ value, label: words.topicChoices[value] }))
  return (
    <>
      <TextField
        label={words.notificationAddress}
        hint={words.notificationAddressHint}
        type="email"
        value={notifications.address ?? ''}
        onChange={(text) => change({ address: text === '' ? null : text })}
        problem={problemOf('notifications')}
        isDisabled={isReadOnly}
      />
      <SelectField
        label={words.notificationLanguage}
        value={notifications.locale ?? NO_LOCALE}
        choices={localeChoices(words.notificationLanguageOfShop)}
        onChange={(choice) => change({ locale: localeOf(choice) })}
        isDisabled={isReadOnly}
      />
      {NOTIFICATION_TOPICS.map((topic) => (
        <SelectField
          key={topic}
          label={words.topics[topic]}
          value={choiceOf(notifications[topic])}
          choices={choices}
          onChange={(choice) => change({ [topic]: TOPIC_VALUES[choice] })}
          isDisabled={isReadOnly}
        />
      ))}
      <Explanation>{words.topicDefault}</Explanation>
    </>
  )
}
