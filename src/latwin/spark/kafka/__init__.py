"""Kafka on both ends of a pipeline, through Spark's own connector.

address.py             what `kafka://host:port/topic?...` means
client.py              questions to the brokers: which topics are there, and how far do they reach
../sources/kafka.py    records to events
../sinks/kafka.py      results to topics
"""
