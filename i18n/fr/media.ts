import type en from '../en/media.ts'

export default {} satisfies typeof en
