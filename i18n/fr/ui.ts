import type en from '../en/ui.ts'

export default {} satisfies typeof en
