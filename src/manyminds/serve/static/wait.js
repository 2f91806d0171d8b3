// A page that waits for a job looks again every second.

setTimeout(() => location.reload(), 1000);
