/** Picture field: a picture by file, by camera or dragged here; made smaller in the browser and shown before it is saved. */
import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import type { PicturePlace } from '#contract/merchant/pictures.ts'
import type { SettingsAnswer } from '#contract/merchant/settings.ts'
import { Button } from '../../forms/button.tsx'
import { Icon } from '../../forms/icon.tsx'
import { useWords } from '../../words/language.tsx'
import type { PictureChange } from './draft.ts'
import styles from './picture-field.module.css'
import { shrinkPicture, type PictureProblem } from './shrink-picture.ts'
import { lookWords } from './words.ts'

/** Drawn, not an image: what was chosen has no address. */
const Drawing = ({ file, onNotShown }: { readonly file: Blob; onNotShown(): void }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const tellNotShown = useEffectEvent(onNotShown)
  useEffect(() => {
    let isGone = false
    const draw = (bitmap: ImageBitmap): void => {
      const element = canvas.current
      if (isGone || element === null) return
      element.width = bitmap.width
      element.height = bitmap.height
      element.getContext('2d')?.drawImage(bitmap, 0, 0)
      bitmap.close()
    }
    createImageBitmap(file)
      .then(draw)
      .catch(() => {
        if (!isGone) tellNotShown()
      })
    return () => {
      isGone = true
    }
  }, [file])
  return <canvas ref={canvas} className={styles['drawing']} aria-hidden="true" />
}

interface ChooserProps {
  readonly label: string
  readonly isDisabled: boolean
  readonly isCamera?: boolean
  onFile(file: File): void
}

const Chooser = ({ label, isDisabled, isCamera = false, onFile }: ChooserProps) => (
  <label className={`${styles['chooser']} ${isCamera ? styles['camera'] : ''}`}>
    <input
      type="file"
      accept="image/*"
      {...(isCamera ? { capture: 'environment' } : {})}
      className={styles['input']}
      disabled={isDisabled}
      onChange={(event) => {
        const [file] = event.target.files ?? []
        // The same file may be chosen again after a change outside.
        event.target.value = ''
        if (file !== undefined) onFile(file)
      }}
    />
    {label}
  </label>
)

interface PictureFieldProps {
  readonly place: PicturePlace
  /** As it is saved. */
  readonly saved: SettingsAnswer['logo']
  readonly change: PictureChange | undefined
  readonly isReadOnly: boolean
  /** Why the server has refused it. */
  readonly refusal: string | undefined
  onChange(change: PictureChange | undefined): void
}

export const PictureField = ({ place, saved, change, isReadOnly, refusal, onChange }: PictureFieldProps) => {
  const words = useWords(lookWords)
  const [problem, setProblem] = useState<PictureProblem | null>(null)
  const [isWorking, setWorking] = useState(false)
  const [isOver, setOver] = useState(false)

  const take = async (file: Blob): Promise<void> => {
    setWorking(true)
    const picture = await shrinkPicture(file, place)
    setWorking(false)
    setProblem(typeof picture === 'string' ? picture : null)
    if (typeof picture !== 'string') onChange(picture)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined && !isReadOnly) void take(file)
  }
  const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }): string =>
    `${width} × ${height}`
  const state = (): string => {
    if (isWorking) return words.workingOnPicture
    if (change === 'removed') return words.removedPicture
    if (change !== undefined) return words.newPicture(sizeOf(change), String(Math.ceil(change.file.size / 1024)))
    if (saved === null) return words.noPicture
    return 'width' in saved ? words.pictureInUseOf(sizeOf(saved)) : words.pictureInUse
  }
  const shownProblem = problem === null ? refusal : words.pictureProblems[problem]

  return (
    // By keyboard a picture is chosen with the button inside.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      className={`${styles['field']} ${isOver ? styles['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!isReadOnly)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <legend className={styles['legend']}>{words.pictures[place]}</legend>
      <p className={styles['hint']}>{words.pictureHints[place]}</p>
      {change === undefined || change === 'removed' ? null : (
        <Drawing file={change.file} onNotShown={() => setProblem('not shown')} />
      )}
      <p role="status">{state()}</p>
      {shownProblem === undefined ? null : (
        <p className={styles['problem']} role="alert">
          <Icon name="warning" size={16} />
          {shownProblem}
        </p>
      )}
      {isReadOnly ? null : (
        <div className={styles['actions']}>
          <Chooser label={words.choosePicture} isDisabled={isWorking} onFile={(file) => void take(file)} />
          <Chooser label={words.takePhoto} isDisabled={isWorking} isCamera onFile={(file) => void take(file)} />
          {change === undefined && saved !== null ? (
            <Button kind="secondary" type="button" onClick={() => onChange('removed')}>
              {words.removePicture}
            </Button>
          ) : null}
          {change === undefined ? null : (
            <Button
              kind="secondary"
              type="button"
              onClick={() => {
                setProblem(null)
                onChange(undefined)
              }}
            >
              {words.undoPicture}
            </Button>
          )}
        </div>
      )}
      {isReadOnly ? null : <p className={`${styles['hint']} ${styles['drag']}`}>{words.dropPicture}</p>}
    </fieldset>
  )
}
