/** Step-up dialog: asks for the passkey when a call needs it, so that the same call can be sent again. */
import { useCallback, useState } from 'react'
import { Button } from '../forms/button.tsx'
import { Dialog } from '../forms/dialog.tsx'
import { FailureNotice } from '../forms/notice.tsx'
import { useApi, useAskForPasskey } from '../session/api-context.tsx'
import { confirmWithPasskey } from '../session/passkeys.ts'
import { useAction } from '../session/use-calls.ts'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { shellWords } from './words.ts'

type Answer = (isConfirmed: boolean) => void

export const StepUpDialog = () => {
  const api = useApi()
  const [words, { cancel }] = [useWords(shellWords), useWords(sharedWords)]
  const [answer, setAnswer] = useState<Answer | null>(null)
  useAskForPasskey(
    useCallback(() => {
      const { promise, resolve } = newAnswer()
      setAnswer(() => resolve)
      return promise
    }, []),
  )
  const end = (isConfirmed: boolean): void => {
    answer?.(isConfirmed)
    setAnswer(null)
  }
  const action = useAction(
    () => confirmWithPasskey(api),
    () => end(true),
  )
  const giveUp = (): void => {
    end(false)
    action.reset()
  }
  return (
    <Dialog
      title={words.confirmTitle}
      isOpen={answer !== null}
      onClose={giveUp}
      isDismissable={!action.isRunning}
      actions={
        <>
          <Button
            kind="primary"
            type="button"
            onClick={action.run}
            busy={action.isRunning}
            // While it closes it is still there: what is confirmed then would answer no call, and the next one would wait for ever.
            disabled={answer === null || action.isRunning}
          >
            {words.confirm}
          </Button>
          <Button kind="secondary" type="button" onClick={giveUp} disabled={action.isRunning}>
            {cancel}
          </Button>
        </>
      }
    >
      <p>{words.confirmText}</p>
      <FailureNotice failure={action.failure} />
    </Dialog>
  )
}

/** `Promise.withResolvers` is younger than the oldest browser of the console. */
const newAnswer = (): { readonly promise: Promise<boolean>; readonly resolve: Answer } => {
  let resolve: Answer = () => undefined
  const promise = new Promise<boolean>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
