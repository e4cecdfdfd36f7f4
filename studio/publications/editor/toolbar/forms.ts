/** The controls of the toolbar that open a form. One is open at a time. */
export type ToolbarForm = 'link' | 'image' | 'video' | 'table'

/** Opens a form of the toolbar, or closes the open one. */
export type OpenForm = (form: ToolbarForm | null) => void
