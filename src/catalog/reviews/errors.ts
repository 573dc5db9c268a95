export type ReviewRefusal = 'review_not_found' | 'review_decided' | 'review_not_undoable'
