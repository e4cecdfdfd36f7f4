import type en from '../en/document.ts'

export default {} satisfies typeof en
