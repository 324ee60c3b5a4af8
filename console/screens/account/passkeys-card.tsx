/** Card of the person's passkeys: lists them, adds one, removes one. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { listPasskeys, removePasskey, type PasskeyAnswer } from '#contract/console/person.ts'
import { Dialog } from '../../forms/dialog.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useRefreshSession } from '../../session/session.tsx'
import { useAction, usePersonRead, usePersonSend } from '../../session/use-calls.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { EnrolForm } from '../enrol/enrol-form.tsx'
import { accountWords } from './words.ts'
import styles from './items.module.css'

const PasskeyItem = ({ passkey, onRemove }: { readonly passkey: PasskeyAnswer; onRemove(): void }) => {
  const words = useWords(accountWords)
  const { time } = useFormats()
  const used = passkey.lastUsedAt === undefined ? words.never : `${words.lastUsed}: ${time(passkey.lastUsedAt)}`
  const [openedAt] = useState(() => Date.now())
  const waits = Date.parse(passkey.confirmsFrom) > openedAt
  return (
    <li className={styles['item']}>
      <div className={styles['words']}>
        <strong>{passkey.name}</strong>
        <span className={styles['detail']}>
          {words.created}: {time(passkey.createdAt)}
        </span>
        <span className={styles['detail']}>{used}</span>
        {waits ? <span className={styles['warning']}>{words.waits(time(passkey.confirmsFrom))}</span> : null}
      </div>
      <Button kind="secondary" type="button" onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  )
}

interface RemovalProps {
  readonly passkey: PasskeyAnswer
  onClose(): void
  onRemoved(): Promise<void>
}

const Removal = ({ passkey, onClose, onRemoved }: RemovalProps) => {
  const [words, { cancel }] = [useWords(accountWords), useWords(sharedWords)]
  const send = usePersonSend()
  const removing = useAction(() => send(removePasskey, { params: { passkeyId: passkey.id } }), onRemoved)
  return (
    <Dialog
      title={words.removeTitle(passkey.name)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      actions={
        <>
          <Button
            kind="primary"
            type="button"
            onClick={removing.run}
            busy={removing.isRunning}
            disabled={removing.isRunning}
          >
            {words.remove}
          </Button>
          <Button kind="secondary" type="button" onClick={onClose}>
            {cancel}
          </Button>
        </>
      }
    >
      <p>{words.removeText}</p>
      <FailureNotice failure={removing.failure} />
    </Dialog>
  )
}

export const PasskeysCard = () => {
  const words = useWords(accountWords)
  const passkeys = usePersonRead(listPasskeys)
  const [queries, refresh, toast] = [useQueryClient(), useRefreshSession(), useToast()]
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<PasskeyAnswer | null>(null)
  const readAgain = async (done: string): Promise<void> => {
    await Promise.all([passkeys.refetch(), refresh(), queries.invalidateQueries()])
    toast(done)
  }
  return (
    <Card
      title={words.passkeys}
      actions={
        <Button kind="secondary" type="button" onClick={() => setAdding(true)}>
          {words.addPasskey}
        </Button>
      }
    >
      <Explanation>{words.passkeysLead}</Explanation>
      <Reading of={passkeys}>
        {({ items }) => (
          <ul className={styles['items']}>
            {items.map((passkey) => (
              <PasskeyItem key={passkey.id} passkey={passkey} onRemove={() => setRemoved(passkey)} />
            ))}
          </ul>
        )}
      </Reading>
      <Dialog title={words.addPasskey} isOpen={isAdding} onClose={() => setAdding(false)}>
        <EnrolForm
          onEnrolled={async () => {
            setAdding(false)
            await readAgain(words.passkeyAdded)
          }}
        />
      </Dialog>
      {removed === null ? null : (
        <Removal
          passkey={removed}
          onClose={() => setRemoved(null)}
          onRemoved={async () => {
            setRemoved(null)
            await readAgain(words.removed)
          }}
        />
      )}
    </Card>
  )
}
