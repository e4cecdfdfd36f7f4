import type en from '../en/shell.ts'

export default {} satisfies typeof en
