/** Hatch: slanted lines that fill a bar, so that it is told from a full one without its colour. */
import styles from './plots.module.css'

export const Hatch = ({ id }: { readonly id: string }) => (
  <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line x1="0" y1="0" x2="0" y2="6" className={styles['hatch']} />
  </pattern>
)
