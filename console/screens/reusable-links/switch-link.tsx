/** Switch of a reusable link: off after a question, on again at once. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { changeReusableLink, type ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { Dialog } from '../../forms/dialog.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Explanation } from '../../shell/screen.tsx'
import { useToast } from '../../shell/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { linksWords } from './words.ts'

interface SwitchLinkProps {
  readonly link: ReusableLinkAnswer
  onChanged(): Promise<unknown>
}

export const SwitchLink = ({ link: { id, disabledAt }, onChanged }: SwitchLinkProps) => {
  const [words, shared] = [useWords(linksWords), useWords(sharedWords)]
  const [send, toast] = [useSend(), useToast()]
  const [isAsked, setAsked] = useState(false)
  const enabled = disabledAt !== undefined
  const switching = useAction(
    () => send(changeReusableLink, { params: { linkId: id }, body: { enabled } }),
    async () => {
      await onChanged()
      setAsked(false)
      toast(enabled ? words.enabled : words.disabled)
    },
  )
  return (
    <>
      <Button
        kind="secondary"
        type="button"
        onClick={() => (enabled ? switching.run() : setAsked(true))}
        busy={switching.isRunning && !isAsked}
        disabled={switching.isRunning}
      >
        {enabled ? words.enable : words.disable}
      </Button>
      {isAsked ? null : <FailureNotice failure={switching.failure} />}
      <Dialog
        title={words.disableTitle}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        isDismissable={!switching.isRunning}
        role="alertdialog"
        actions={
          <>
            <Button
              kind="primary"
              type="button"
              onClick={() => switching.run()}
              busy={switching.isRunning}
              disabled={switching.isRunning}
            >
              {words.disable}
            </Button>
            <Button kind="secondary" type="button" onClick={() => setAsked(false)} disabled={switching.isRunning}>
              {shared.cancel}
            </Button>
          </>
        }
      >
        <Explanation>{words.disableText}</Explanation>
        <FailureNotice failure={switching.failure} />
      </Dialog>
    </>
  )
}
