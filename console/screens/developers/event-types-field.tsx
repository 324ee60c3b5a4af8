/** Event types field: all events, or some of them. */
import { CHECKOUT_EVENT_TYPES, type CheckoutEventType } from '#contract/merchant/events.ts'
import { useWords } from '../../words/language.tsx'
import { webhookWords } from './webhook-words.ts'
import styles from './developers.module.css'

interface EventTypesFieldProps {
  /** Null: all of them. */
  readonly value: readonly CheckoutEventType[] | null
  onChange(value: readonly CheckoutEventType[] | null): void
}

export const EventTypesField = ({ value, onChange }: EventTypesFieldProps) => {
  const words = useWords(webhookWords)
  return (
    <fieldset className={styles['types']}>
      <legend>{words.eventTypes}</legend>
      <label className={styles['type']}>
        <input
          type="checkbox"
          checked={value === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : ['checkout.paid'])}
        />
        {words.allEvents}
      </label>
      {value === null
        ? null
        : CHECKOUT_EVENT_TYPES.map((type) => (
            <label key={type} className={styles['type']}>
              <input
                type="checkbox"
                checked={value.includes(type)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...value, type] : value.filter((each) => each !== type))
                }
              />
              <code>{type}</code>
            </label>
          ))}
      {value?.length === 0 ? (
        <p className={styles['problem']} role="alert">
          {words.chooseOne}
        </p>
      ) : null}
    </fieldset>
  )
}
