package flush
