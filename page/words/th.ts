export { words } from './en-US.ts'
